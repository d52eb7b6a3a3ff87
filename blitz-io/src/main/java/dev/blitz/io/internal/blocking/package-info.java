/** Threads for code that blocks, apart from the workers. */
@NullMarked
package dev.blitz.io.internal.blocking;

import org.jspecify.annotations.NullMarked;
