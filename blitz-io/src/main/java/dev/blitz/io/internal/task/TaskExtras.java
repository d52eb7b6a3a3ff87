package dev.blitz.io.internal.task;

import org.jspecify.annotations.Nullable;

/**
 * What few tasks have; the others save the space.
 *
 * @param name the user's name for the task
 */
public record TaskExtras(@Nullable String name) {}
