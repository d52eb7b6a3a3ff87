/** Stress of the sync primitives. */
@NullMarked
package dev.blitz.io.sync;

import org.jspecify.annotations.NullMarked;
