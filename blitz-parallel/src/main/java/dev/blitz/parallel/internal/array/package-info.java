/** Whole-array algorithms that are no sorts: what {@code dev.blitz.parallel.array} calls. */
@NullMarked
package dev.blitz.parallel.internal.array;

import org.jspecify.annotations.NullMarked;
