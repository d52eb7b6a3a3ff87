/** Checks of the fork-join machinery, beside what they probe. */
@NullMarked
package dev.blitz.parallel.internal;

import org.jspecify.annotations.NullMarked;
