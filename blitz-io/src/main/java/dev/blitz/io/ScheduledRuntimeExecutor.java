package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A runtime as a {@link ScheduledExecutorService}: each delayed or periodic command is one task
 * that sleeps on the timer wheel. After {@code shutdown} periodic commands are cancelled and
 * delayed ones still run, as the defaults of {@link
 * java.util.concurrent.ScheduledThreadPoolExecutor} have it.
 */
final class ScheduledRuntimeExecutor extends RuntimeExecutor implements ScheduledExecutorService {
  private final RuntimeTimers timers;
  private final Set<Entry<?>> periodic = ConcurrentHashMap.newKeySet();

  ScheduledRuntimeExecutor(BlitzRuntime runtime, RuntimeTimers timers) {
    super(runtime);
    this.timers = timers;
  }

  /** A command with its schedule. */
  private final class Entry<V> extends Result<V> implements RunnableScheduledFuture<V> {
    /** Positive: fixed rate. Negative: fixed delay. Zero: once. */
    private final long periodNanos;

    private volatile long dueNanos;
    private volatile @Nullable JoinHandle<Done> task;

    Entry(Callable<V> body, Duration delay, long periodNanos) {
      super(body);
      this.periodNanos = periodNanos;
      this.dueNanos = timers.deadlineAfter(delay);
    }

    Entry<V> start() {
      JoinHandle<Done> started =
          spawn(
              this,
              run ->
                  isPeriodic()
                      ? Futures.loop(this::step)
                      : Task.sleep(remaining()).andThen(d -> run));
      task = started;
      if (isCancelled()) {
        started.cancel();
      }
      return this;
    }

    private Duration remaining() {
      return Duration.ofNanos(Math.max(0, dueNanos - timers.clock().nowNanos()));
    }

    private Future<Futures.Step> step() {
      return Task.sleep(remaining()).map(d -> turnAgain());
    }

    private Futures.Step turnAgain() {
      if (!runAndReset()) {
        periodic.remove(this);
        return Futures.Step.STOP;
      }
      dueNanos = periodNanos > 0 ? dueNanos + periodNanos : timers.clock().nowNanos() - periodNanos;
      return Futures.Step.MORE;
    }

    @Override
    public boolean isPeriodic() {
      return periodNanos != 0;
    }

    @Override
    protected void done() {
      periodic.remove(this);
      JoinHandle<Done> t = task;
      if (t != null && isCancelled()) {
        t.cancel();
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - timers.clock().nowNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  private static Duration duration(long amount, TimeUnit unit) {
    return Duration.ofNanos(unit.toNanos(amount)); // saturates
  }

  @Override
  @SuppressWarnings("NullAway") // the interface's futures of commands without a value yield null
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Objects.requireNonNull(command, "command");
    return schedule(
        () -> {
          command.run();
          return null;
        },
        delay,
        unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> body, long delay, TimeUnit unit) {
    Objects.requireNonNull(body, "command");
    return new Entry<>(body, duration(delay, unit), 0).start();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return periodic(command, duration(initialDelay, unit), positive(period, unit));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return periodic(command, duration(initialDelay, unit), -positive(delay, unit));
  }

  private static long positive(long period, TimeUnit unit) {
    if (period <= 0) {
      throw new IllegalArgumentException("a period must be positive: " + period);
    }
    return unit.toNanos(period);
  }

  @SuppressWarnings("NullAway") // as above
  private ScheduledFuture<?> periodic(Runnable command, Duration delay, long periodNanos) {
    Objects.requireNonNull(command, "command");
    var entry =
        new Entry<Object>(
            () -> {
              command.run();
              return null;
            },
            delay,
            periodNanos);
    periodic.add(entry);
    try {
      return entry.start();
    } catch (RuntimeException e) {
      periodic.remove(entry);
      throw e;
    }
  }

  @Override
  public void shutdown() {
    super.shutdown();
    List.copyOf(periodic).forEach(e -> e.cancel(false));
  }
}
