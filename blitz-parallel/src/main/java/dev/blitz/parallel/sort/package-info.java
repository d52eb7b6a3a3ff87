/**
 * Parallel sorts: {@link dev.blitz.parallel.Parallel#sort(long[])} and its like for whole arrays,
 * {@link dev.blitz.parallel.sort.ParallelSort} for everything else.
 *
 * <h2>Where they run</h2>
 *
 * On the pool of the current worker, or on the common pool; up to some thousands of elements on the
 * calling thread. {@code pool.run(() -> Parallel.sort(array))} uses another pool.
 *
 * <h2>What they promise</h2>
 *
 * O(n log n) comparisons for any input. Sorts of objects are stable unless they are called
 * unstable. A comparator that throws ends the sort with what it threw; one that contradicts itself
 * does not: in both cases the array holds the same elements in some order. Nobody else may use the
 * array meanwhile.
 */
@NullMarked
package dev.blitz.parallel.sort;

import org.jspecify.annotations.NullMarked;
