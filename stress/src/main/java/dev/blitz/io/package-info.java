/** Stress of whole runtimes. */
@NullMarked
package dev.blitz.io;

import org.jspecify.annotations.NullMarked;
