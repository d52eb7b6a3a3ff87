/**
 * Orderly ends: a {@link dev.blitz.io.shutdown.Shutdown} is triggered by code, a signal or the end
 * of the JVM, tells tasks to come to an end, waits for those that have work to finish, and reports
 * who did not.
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread does before it triggers happens before what follows the end of {@link
 * dev.blitz.io.shutdown.Shutdown#triggered()} or a cancellation of its tokens; what tracked tasks
 * do, and what is done before a {@link dev.blitz.io.shutdown.WorkGuard} is closed, happens before
 * the end of a drain that has waited for it; what an action of one phase does happens before those
 * of the next.
 */
@NullMarked
package dev.blitz.io.shutdown;

import org.jspecify.annotations.NullMarked;
