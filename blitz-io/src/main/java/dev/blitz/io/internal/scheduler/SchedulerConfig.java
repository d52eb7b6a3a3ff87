package dev.blitz.io.internal.scheduler;

import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.policy.UncaughtHandler;
import java.util.function.Consumer;

/**
 * What the builder of a runtime decided about its scheduler.
 *
 * @param inPlaceThreads how many calls may block in place at once
 * @param drawn whether the seed decides the order of polls
 * @param starter starts a new thread; tests put one in place that fails
 */
public record SchedulerConfig(
    String name,
    int workers,
    int inPlaceThreads,
    SpinMode spin,
    long seed,
    boolean drawn,
    long stallNanos,
    TimeSource clock,
    UncaughtHandler uncaught,
    FatalErrorPolicy fatalPolicy,
    Consumer<Thread> starter,
    Consumer<Thread> onThreadStart,
    Consumer<Thread> onThreadStop) {}
