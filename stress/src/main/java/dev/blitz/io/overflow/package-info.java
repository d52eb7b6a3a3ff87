/** Everything at the end of the stack. */
@NullMarked
package dev.blitz.io.overflow;

import org.jspecify.annotations.NullMarked;
