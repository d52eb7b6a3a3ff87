/**
 * Fork-join data parallelism: {@link dev.blitz.parallel.Parallel} is the way in, {@link
 * dev.blitz.parallel.Pool} is for those who hold several.
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread did before it forked, spawned or called happens-before the forked computation; what
 * that did happens-before the return of the join, scope or call that waits for it.
 *
 * <h2>Failure</h2>
 *
 * A computation may throw anything. Nothing is left running behind a join or scope that fails: the
 * other half still runs, or is awaited where it runs, and the leftmost failure is thrown with the
 * others suppressed in it. Only after an error of the JVM itself (stack overflow, out of memory) is
 * a half that nobody has begun dropped instead.
 *
 * <h2>Interrupts</h2>
 *
 * No wait here ends early by an interrupt, because what it waits for cannot be undone: the flag is
 * kept for the caller. Use a {@link dev.blitz.parallel.CancelToken} to stop a loop. A worker's flag
 * is cleared between jobs.
 */
@NullMarked
package dev.blitz.parallel;

import org.jspecify.annotations.NullMarked;
