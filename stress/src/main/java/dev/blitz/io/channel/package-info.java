/** Stress of the words that workers park on. */
@NullMarked
package dev.blitz.io.channel;

import org.jspecify.annotations.NullMarked;
