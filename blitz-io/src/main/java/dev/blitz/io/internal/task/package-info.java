/**
 * The task cell and its state word.
 *
 * <p>A task is one object: {@link dev.blitz.io.internal.task.TaskCell}, which is its own waker and
 * its own join handle. {@link dev.blitz.io.internal.task.TaskState} is the word that says who may
 * touch what: the future belongs to the thread that moved the word to RUNNING, the result to
 * everybody once the word is COMPLETE. {@link dev.blitz.io.internal.task.JoinCell} adds the result
 * and those who wait for it, and serves blocking tasks too.
 */
@NullMarked
package dev.blitz.io.internal.task;

import org.jspecify.annotations.NullMarked;
