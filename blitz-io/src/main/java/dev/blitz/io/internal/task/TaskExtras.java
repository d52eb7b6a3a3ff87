package dev.blitz.io.internal.task;

import org.jspecify.annotations.Nullable;

/**
 * What few tasks have; the others save the space.
 *
 * @param name the user's name for the task
 * @param locals its task-locals
 * @param hook what the spawn hook captured
 */
public record TaskExtras(@Nullable String name, @Nullable Object locals, @Nullable Object hook) {}
