/**
 * Parallel pipelines over arrays, lists and ranges. {@link
 * dev.blitz.parallel.Parallel#iter(long[])} and its like are the way in.
 *
 * {@snippet :
 * long even = Parallel.range(0, n).map(i -> i * 3).filter(i -> i % 2 == 0).count();
 * double dot = Parallel.iter(xs).zip(ys, (x, y) -> x * y).sum();
 * }
 *
 * <h2>What runs when</h2>
 *
 * A pipeline is a description; nothing runs before its end ({@code sum}, {@code toArray}...), and
 * it may be used again. The end runs on the pool of the current worker or the common pool, or on
 * {@code on(pool)}; short work runs on the calling thread. Functions are called by several threads
 * at once and in any order. A function should do its work itself rather than wrap another:
 * pipelines get code of their own by the classes of their functions.
 *
 * <h2>What is promised</h2>
 *
 * Results are in the order of the source. Sums of doubles have the same bits for any number of
 * workers. The first failure of a function stops the others and is thrown. A source must not change
 * meanwhile: what is read then is undefined, but nothing breaks.
 */
@NullMarked
package dev.blitz.parallel.iter;

import org.jspecify.annotations.NullMarked;
