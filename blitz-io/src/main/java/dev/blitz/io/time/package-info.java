/**
 * Time: intervals, delay queues and rate limiters, on the timer wheel of the current runtime.
 * Sleeping is with {@link dev.blitz.io.task.Task}; time-outs and the {@link
 * dev.blitz.io.future.Deadline} are with the futures. The clock that a runtime lives by is a {@link
 * dev.blitz.io.policy.TimeSource}.
 *
 * <p>A timer has a resolution of 62.5 microseconds and is never early by the runtime's clock. A
 * duration of zero or less is over at once; one beyond 292 years never ends. The time of a future
 * that is given a duration begins with its first poll.
 *
 * <h2>Memory consistency</h2>
 *
 * What a task does before it arms a timer happens before what it does after the timer has fired.
 */
@NullMarked
package dev.blitz.io.time;

import org.jspecify.annotations.NullMarked;
