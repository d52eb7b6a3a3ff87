/** Time: the clock that a runtime lives by. */
@NullMarked
package dev.blitz.io.time;

import org.jspecify.annotations.NullMarked;
