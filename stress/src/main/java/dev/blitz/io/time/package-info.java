/** Stress of the words that a timer and its future share. */
@NullMarked
package dev.blitz.io.time;

import org.jspecify.annotations.NullMarked;
