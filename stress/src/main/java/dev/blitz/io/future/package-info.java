/** Stress of the combinators, and of futures that many wait for. */
@NullMarked
package dev.blitz.io.future;

import org.jspecify.annotations.NullMarked;
