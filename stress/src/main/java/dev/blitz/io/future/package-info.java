/** Stress of the combinators. */
@NullMarked
package dev.blitz.io.future;

import org.jspecify.annotations.NullMarked;
