/** Stress of the task's state word and its join protocol. */
@NullMarked
package dev.blitz.io.internal.task;

import org.jspecify.annotations.NullMarked;
