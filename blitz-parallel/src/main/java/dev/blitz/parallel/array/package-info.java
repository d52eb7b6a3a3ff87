/**
 * Whole arrays, in parallel where it pays: merges and set operations on sorted ones, seeded random
 * numbers and shuffles, moves by index.
 *
 * {@snippet :
 * long[] all = SortedArrays.merge(today, yesterday);
 * SeededRandom.of(42).shuffle(cards);
 * long[] flat = Scatter.flatten(rows);
 * }
 *
 * <p>Few elements are handled on the calling thread, more on the pool of the current worker or the
 * common pool; {@code pool.run(() -> ...)} chooses another. Like sorts these calls are not ended by
 * an interrupt; the flag is kept. No result depends on the number of workers.
 *
 * <h2>Memory consistency</h2>
 *
 * What the caller did before a call happens before what the workers do in it, and that happens
 * before the call returns. Nobody else may change the arguments meanwhile: what is read then is
 * undefined, but nothing breaks.
 */
@NullMarked
package dev.blitz.parallel.array;

import org.jspecify.annotations.NullMarked;
