/**
 * Tasks: {@link dev.blitz.io.task.Task} spawns them, a {@link dev.blitz.io.task.JoinHandle} waits
 * for one or cancels it. A {@link dev.blitz.io.task.TaskScope} holds tasks that end before it does,
 * a {@link dev.blitz.io.task.CancelToken} tells many of one cancellation, a {@link
 * dev.blitz.io.task.TaskLocal} is a value that tasks inherit.
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread does before spawning a task happens before its first poll; what a task does happens
 * before anything after a successful wait for its {@link dev.blitz.io.task.JoinHandle}; what a
 * thread does before {@link dev.blitz.io.task.JoinHandle#cancel()} happens before the drop it
 * causes, or that the cancellation of a token or a scope causes; what the children of a scope do
 * happens before its end.
 */
@NullMarked
package dev.blitz.io.task;

import org.jspecify.annotations.NullMarked;
