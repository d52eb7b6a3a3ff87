/**
 * The group {@code scaling}: rows of other groups, in growing sizes. Each of those groups makes its
 * own points.
 */
@NullMarked
package dev.blitz.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
