/**
 * Tasks: {@link dev.blitz.io.task.Task} spawns them, a {@link dev.blitz.io.task.JoinHandle} waits
 * for one or cancels it.
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread does before spawning a task happens before its first poll; what a task does happens
 * before anything after a successful wait for its {@link dev.blitz.io.task.JoinHandle}; what a
 * thread does before {@link dev.blitz.io.task.JoinHandle#cancel()} happens before the drop it
 * causes.
 */
@NullMarked
package dev.blitz.io.task;

import org.jspecify.annotations.NullMarked;
