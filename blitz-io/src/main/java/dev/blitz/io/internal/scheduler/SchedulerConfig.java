package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Machine;
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
    Machine machine,
    Consumer<Thread> onThreadStart,
    Consumer<Thread> onThreadStop) {

  /** What a thread of the runtime is called. */
  String threadName(String role) {
    return "blitz-" + name + "-" + role;
  }
}
