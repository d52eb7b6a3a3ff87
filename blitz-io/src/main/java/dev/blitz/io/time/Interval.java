package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.TimerFuture;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.UncheckedSource;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ticks at a fixed period. The schedule begins with the first poll of the first {@link #tick()};
 * the first tick is due one period later.
 *
 * <p>For one task at a time. A tick that is dropped is not lost: the next call waits for the same
 * one. A schedule is a matter of one clock: once it has begun, ticks in another runtime are refused
 * until {@link #reset()}.
 *
 * {@snippet :
 * Interval every = Interval.every(Duration.ofSeconds(1)).onMissed(MissedTicks.SKIP);
 * Future<Done> flushing = Futures.loop(() -> every.tick().map(tick -> {
 *   flush();
 *   return Futures.Step.MORE;
 * }));
 * for (Tick tick : every) { // the same in direct style: an interval is a source of its ticks
 *   flush();
 * }
 * }
 *
 * <p>It needs no close; one that is closed has no more ticks as a source.
 */
public final class Interval implements UncheckedSource<Tick> {
  private final long periodNanos;
  private MissedTicks missed = MissedTicks.BURST;
  private boolean atOnce;
  private long number;

  /** Tells a tick that is armed that its time is no longer the right one. */
  private int resets;

  /** Whose clock the schedule follows; null before it has begun. */
  private @Nullable RuntimeTimers timers;

  /** When the next tick is due by that clock. */
  private long nextNanos;

  /** The tick that is waited for by {@link #pollNext}. */
  private @Nullable TickFuture polled;

  private volatile boolean closed;

  private Interval(long periodNanos) {
    this.periodNanos = periodNanos;
  }

  /** An interval whose period is one millisecond or more. */
  public static Interval every(Duration period) {
    Objects.requireNonNull(period, "period");
    if (period.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a period must be at least 1 ms: " + period);
    }
    boolean fits = period.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0;
    return new Interval(fits ? period.toNanos() : TickClock.NEVER);
  }

  /** The first tick is due at once instead of after a period. */
  public Interval startingAtOnce() {
    atOnce = true;
    return this;
  }

  /** What to do about ticks that were missed. */
  public Interval onMissed(MissedTicks policy) {
    missed = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * The next tick is due one period after the first poll that comes now, in whatever runtime; a
   * tick that is being waited for is put off.
   */
  public void reset() {
    timers = null;
    atOnce = false;
    resets++;
  }

  /** The next tick. */
  @CheckReturnValue
  public UncheckedFuture<Tick> tick() {
    return Watched.unchecked(new TickFuture());
  }

  /** The next tick; null when it is not due yet. */
  @Override
  public @Nullable Tick pollNext(Context cx) {
    if (closed) {
      forgetNext();
      return null;
    }
    TickFuture now = polled;
    if (now == null) {
      now = new TickFuture();
      polled = now;
    }
    Tick tick;
    try {
      tick = now.poll(cx);
    } catch (Throwable t) {
      polled = null; // it has ended
      throw t;
    }
    if (tick != null) {
      polled = null;
    }
    return tick;
  }

  @Override
  public boolean hasEnded() {
    return closed && polled == null;
  }

  @Override
  public void forgetNext() {
    TickFuture now = polled;
    if (now != null) {
      now.drop();
      polled = null;
    }
  }

  /** As a source, there are no more ticks after the one that is being waited for. */
  @Override
  public void close() {
    closed = true;
  }

  private static long plus(long nanos, long more) {
    return nanos > TickClock.NEVER - more ? TickClock.NEVER : nanos + more;
  }

  private long due(RuntimeTimers here) {
    if (timers == null) {
      timers = here;
      long now = here.clock().nowNanos();
      nextNanos = atOnce ? now : plus(now, periodNanos);
    } else if (timers != here) {
      throw new IllegalStateException(
          "this interval's schedule began in another runtime, whose clock may be a different one:"
              + " make one for each, or call reset()");
    }
    return nextNanos;
  }

  private Tick taken(long nowNanos) {
    long due = nextNanos;
    long late = Math.max(0, nowNanos - due);
    nextNanos =
        switch (missed) {
          case BURST -> plus(due, periodNanos);
          case DELAY -> plus(nowNanos, periodNanos);
          case SKIP -> plus(due, (late / periodNanos + 1) * periodNanos);
        };
    return new Tick(number++, Duration.ofNanos(late));
  }

  private final class TickFuture extends TimerFuture implements UncheckedFuture<Tick> {
    private int armedAt;

    TickFuture() {
      super(null);
    }

    @Override
    public @Nullable Tick poll(Context cx) {
      if (isArmed() && armedAt == resets) {
        return pollTimer(cx) ? taken(armedOn().clock().nowNanos()) : null;
      }
      if (!cx.proceed()) {
        return null; // a burst of missed ticks lets others run too
      }
      disarm();
      RuntimeTimers timers = timersOf(cx);
      long due = due(timers);
      long now = timers.clock().nowNanos();
      if (due <= now) {
        return taken(now);
      }
      armedAt = resets;
      armAt(timers, due, cx);
      if (!hasFired()) {
        cx.refund();
        return null;
      }
      return taken(timers.clock().nowNanos());
    }

    @Override
    public void drop() {
      discard();
    }

    @Override
    public String toString() {
      String due = isArmed() ? ", due " + describeTimeLeft() : "";
      return "tick " + number + " of an interval of " + Duration.ofNanos(periodNanos) + due;
    }
  }
}
