/**
 * Clocks that are moved by hand, as a runtime sees them. The only internal package that blitz-test
 * sees too.
 */
@NullMarked
package dev.blitz.io.internal.clock;

import org.jspecify.annotations.NullMarked;
