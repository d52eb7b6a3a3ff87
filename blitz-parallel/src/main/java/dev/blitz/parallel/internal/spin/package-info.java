/**
 * Pipelines as descriptions, and the loops that run them: an interpreter for all, and classes made
 * at run time for those through which enough has passed. {@code docs/design/parallel-data.md}.
 */
@NullMarked
package dev.blitz.parallel.internal.spin;

import org.jspecify.annotations.NullMarked;
