/** Long-running checks of blitz-parallel through its public face. */
@NullMarked
package dev.blitz.parallel;

import org.jspecify.annotations.NullMarked;
