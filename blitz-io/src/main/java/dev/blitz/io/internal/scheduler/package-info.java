/**
 * The work-stealing scheduler: from spawn to the worker's poll.
 *
 * <p>A task that is woken goes to the worker that woke it ({@code LocalRunQueue}: LIFO slot, then
 * ring) or, from outside, to the {@code InjectQueue}. {@code Worker} finds and polls tasks; {@code
 * IdleState} knows who is searching and who is parked; {@code Scheduler} holds them together.
 * {@code docs/design/scheduler.md} has the sleep protocol with its proof sketch.
 */
@NullMarked
package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.NullMarked;
