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
 * <p>Of very many failures some dozens are kept; a suppressed one says how many were dropped.
 *
 * <h2>Locks and thread-bound values</h2>
 *
 * While a join, scope or broadcast waits for another worker, the current worker runs parts of what
 * it waits for, and nothing else: no other call, and no other half of an outer join. A lock that is
 * held across a join is therefore safe from strangers; but what is waited for must not want it: it
 * may run on the waiting thread, where a monitor, being reentrant, lets it in. The same holds for
 * shares of a broadcast, and for jobs that what is waited for spawns into an outer scope. {@link
 * dev.blitz.parallel.Parallel#yieldNow} runs whatever there is, and so does a call into another
 * pool when no thread is left to stand in: hold no lock there.
 *
 * <p>A half that another worker takes does not see the {@link ScopedValue} bindings and
 * thread-local values of the one that forked it, and one that is not taken does. So neither is a
 * way to hand something to a half: let its lambda capture the value, and bind it inside.
 *
 * {@snippet :
 * var user = USER.get();
 * Parallel.join(left, () -> ScopedValue.where(USER, user).call(right::run));
 * }
 *
 * <h2>Interrupts</h2>
 *
 * No wait for a join, scope or call ends early by an interrupt, because what it waits for cannot be
 * undone: the flag is kept for the caller. Loops do end: when the thread that called one is
 * interrupted, before it or while it runs, no further block starts, and the loop throws {@link
 * java.util.concurrent.CancellationException} with the flag still set. (A worker that calls a loop
 * looks at its own flag between blocks, not while it waits for others.) A worker's flag is cleared
 * between jobs.
 *
 * <h2>Where a loop runs</h2>
 *
 * A loop learns what an index costs, by the class of its lambda. One of {@link
 * dev.blitz.parallel.Parallel} that would be over before a worker could be woken runs on the thread
 * that calls it; loops of a {@link dev.blitz.parallel.Pool} and bodies that ask on which worker
 * they are always run on workers. Indices must not wait for each other.
 */
@NullMarked
package dev.blitz.parallel;

import org.jspecify.annotations.NullMarked;
