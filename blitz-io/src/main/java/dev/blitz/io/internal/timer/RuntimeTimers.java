package dev.blitz.io.internal.timer;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.policy.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one runtime: a wheel per worker, the clock they turn by, and whom to wake when a
 * timer has become the earliest. Thread safe.
 *
 * <p>{@code docs/design/timer.md}, "A wheel per worker", has the protocol.
 */
/* Implementation notes
 *
 * A worker schedules into its own wheel, so that workers do not meet at a lock; others pick one by their
 * thread's number. An entry remembers its wheel. Any thread may cancel an entry and turn any wheel.
 *
 * Fresh entries: inside a poll the clock is not read; the entry waits in its wheel with a duration. Its worker
 * admits it at the end of its round and before it parks; the overseer does so for a worker whose poll takes long.
 * With a manual clock there are none: who moves it by hand expects that a timer counts from where it was set.
 *
 * Orderings
 *   field       | writer              | reader       | mode               | pairs with
 *   sleepsUntil | the one that sleeps | movedEarlier | volatile, volatile | a wheel's nextTick: who arms writes that,
 *               |                     |              |                    | reads this; the sleeper vice versa
 *   closed      | close               | who waits    | volatile, volatile | an entry's waker: close writes this, then
 *               |                     |              |                    | tells those; who waits vice versa
 */
public final class RuntimeTimers {
  /** What {@link #schedule} takes for a thread that is no worker. */
  public static final int NO_WORKER = -1;

  private final TickClock clock;
  private final HierarchicalTimerWheel[] wheels;
  private final Discards[] discards;
  private final Runnable onEarlier;
  private final boolean deferred;

  /**
   * The tick for which somebody sleeps; NEVER while it looks for that tick, and while nobody
   * sleeps. An object of its own: it changes with every sleep, the other fields never.
   */
  private final AtomicLong sleepsUntil = new AtomicLong(TickClock.NEVER);

  /** Why nobody may wait for these timers any more; null while one may. */
  private volatile @Nullable String closed;

  /**
   * {@code onEarlier} is called, on any thread, after a deadline has come closer than the one that
   * {@link #sleepDeadlineNanos} answered last.
   */
  public RuntimeTimers(TimeSource source, int workers, Runnable onEarlier) {
    this.clock = new TickClock(source::nanoTime);
    this.wheels = new HierarchicalTimerWheel[Math.min(workers, TimerTuning.MAX_WHEELS)];
    for (int i = 0; i < wheels.length; i++) {
      wheels[i] = new HierarchicalTimerWheel(i);
    }
    this.discards = new Discards[workers];
    Arrays.setAll(discards, i -> new Discards(wheels));
    this.onEarlier = onEarlier;
    this.deferred = !(source instanceof ManualClock);
  }

  /** The clock that deadlines are made with. */
  public TickClock clock() {
    return clock;
  }

  // --- Arming ---

  /**
   * Arms {@code entry} for the first tick that is not before {@code deadlineNanos} of {@link
   * #clock}.
   *
   * @param worker whose thread this is, or {@link #NO_WORKER}
   */
  public void schedule(TimerEntry entry, int worker, long deadlineNanos) {
    StackRoom.forWake();
    tellEarlier(scheduleSilently(entry, worker, deadlineNanos));
  }

  /**
   * The same, for one who has a lock of its own: only that of the wheel is taken inside. Whoever
   * sleeps for timers does not know yet.
   *
   * @return what {@link #tellEarlier} must be called with soon
   */
  public long scheduleSilently(TimerEntry entry, int worker, long deadlineNanos) {
    long tick = TickClock.tickAtOrAfter(deadlineNanos);
    return wheels[wheelOf(worker)].schedule(entry, tick) ? tick : TickClock.NEVER;
  }

  /**
   * Tells whoever sleeps for timers that one is due at {@code tick}, which may wake or start a
   * worker.
   *
   * @param tick what a silent call has answered; NEVER if there is nothing to tell
   */
  public void tellEarlier(long tick) {
    if (tick != TickClock.NEVER) {
      movedEarlier(tick);
    }
  }

  /**
   * Arms {@code entry} for {@code nanos} from now.
   *
   * @param worker which is polling on this thread, and will admit its timers soon; or {@link
   *     #NO_WORKER}
   */
  public void scheduleAfter(TimerEntry entry, int worker, long nanos) {
    if (worker >= 0 && deferred) {
      wheels[wheelOf(worker)].scheduleFresh(entry, nanos);
    } else {
      schedule(entry, worker, TickClock.plus(clock.nowNanos(), nanos));
    }
  }

  /** Arms {@code entry} anew, whatever its state; silently, as {@link #scheduleSilently}. */
  public long rescheduleSilently(TimerEntry entry, long deadlineNanos) {
    long tick = TickClock.tickAtOrAfter(deadlineNanos);
    int held = entry.wheel();
    int wheel = held >= 0 ? held : wheelOf(NO_WORKER);
    return wheels[wheel].reschedule(entry, tick) ? tick : TickClock.NEVER;
  }

  /** Takes {@code entry} out of its wheel; false if it was not there or has expired. */
  public boolean cancel(TimerEntry entry) {
    int wheel = entry.wheel();
    return wheel >= 0 && wheels[wheel].cancel(entry);
  }

  /**
   * Takes {@code entry} out of its wheel, at the latest when {@code worker} parks. For one that
   * will not be armed again and to whom it does not matter whether {@code fire()} is still called.
   *
   * @param worker whose thread this is, or {@link #NO_WORKER}
   */
  public void discard(TimerEntry entry, int worker) {
    int wheel = entry.wheel();
    if (wheel < 0) {
      return;
    }
    if (worker < 0 || wheel == wheelOf(worker)) {
      wheels[wheel].cancel(entry);
    } else {
      discards[worker].add(entry);
    }
  }

  /** Now plus {@code duration}, on the scale of {@link #clock}. */
  public long deadlineAfter(Duration duration) {
    return clock.deadlineNanos(duration);
  }

  private int wheelOf(int worker) {
    int any = worker >= 0 ? worker : (int) Thread.currentThread().threadId() & Integer.MAX_VALUE;
    return any < wheels.length ? any : any % wheels.length;
  }

  /**
   * A wheel's next tick has become {@code tick}. Tells nobody if who sleeps does so no longer than
   * that. The other wheels' next ticks would not do instead: the sleeper reads one after the other,
   * and may reach such a wheel when its timer has gone.
   */
  private void movedEarlier(long tick) {
    if (tick < sleepsUntil.get()) {
      onEarlier.run();
    }
  }

  // --- Turning ---

  /**
   * Gives the timers that {@code worker} has armed since the last call their deadlines, and takes
   * out those that it has discarded. For that worker's thread.
   */
  public void admit(int worker) {
    discards[worker].flush();
    admitTo(wheelOf(worker));
  }

  /** Gives all timers deadlines: a worker may be kept from doing it itself. */
  public void admitAll() {
    for (int i = 0; i < wheels.length; i++) {
      admitTo(i);
    }
  }

  private void admitTo(int wheel) {
    if (wheels[wheel].hasFresh()) {
      long earliest = wheels[wheel].admit(clock);
      if (earliest != TickClock.NEVER) {
        movedEarlier(earliest);
      }
    }
  }

  /** When a wheel must be turned next, on the scale of the runtime's clock; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return clock.sourceNanos(nextTick());
  }

  /**
   * The same, for the one thread that will now sleep until then: from here on it is told of what
   * comes earlier.
   */
  public long sleepDeadlineNanos() {
    sleepsUntil.set(TickClock.NEVER); // before the look: what that misses is told
    long next = nextTick();
    sleepsUntil.set(next);
    return clock.sourceNanos(next);
  }

  /** That thread sleeps no more, and another one may. */
  public void sleepEnded() {
    sleepsUntil.set(TickClock.NEVER);
  }

  private long nextTick() {
    long next = TickClock.NEVER;
    for (var wheel : wheels) {
      next = Math.min(next, wheel.nextTick());
    }
    return next;
  }

  /**
   * Fires what is due at {@code nowNanos} of the runtime's clock, tick by tick in the order of all
   * wheels. Fires at most about as many timers as there are: those that re-arm themselves for now
   * wait for the next call.
   */
  public void fireDue(long nowNanos) {
    long now = clock.tickOf(nowNanos);
    int left = size() + TimerTuning.SPARE_ROUNDS;
    while (left > 0) {
      int first = 0;
      long next = TickClock.NEVER;
      long second = TickClock.NEVER;
      for (int i = 0; i < wheels.length; i++) {
        long tick = wheels[i].nextTick();
        if (tick < next) {
          second = next;
          next = tick;
          first = i;
        } else {
          second = Math.min(second, tick);
        }
      }
      if (next > now) {
        return;
      }
      left -= Math.max(1, wheels[first].advance(Math.min(now, second)));
    }
  }

  // --- The end ---

  /**
   * Nobody turns the wheels any more: whoever waits is told, and fails as whoever comes later, with
   * {@code why}.
   *
   * @throws RuntimeException what one of those threw that were told, after all were
   */
  public void close(String why) {
    closed = why; // before the look at those who wait
    @Nullable Throwable failure = null;
    for (var wheel : wheels) {
      failure = tell(() -> wheel.close(why), failure);
    }
    if (failure != null) {
      throw HierarchicalTimerWheel.unchecked(failure);
    }
  }

  private static @Nullable Throwable tell(Runnable r, @Nullable Throwable earlier) {
    try {
      r.run();
      return earlier;
    } catch (Throwable e) {
      return earlier == null ? e : earlier;
    }
  }

  /**
   * Throws if these timers are closed. Who waits for a timer that has not fired looks here after it
   * has made itself known.
   *
   * @throws IllegalStateException with the reason
   */
  public void refuseIfClosed() {
    String why = closed;
    if (why != null) {
      throw new IllegalStateException(why);
    }
  }

  /** Whether {@link #close} has been called. */
  public boolean isClosed() {
    return closed != null;
  }

  /** Timers that are armed, and those that have been discarded a moment ago. */
  public int size() {
    int sum = 0;
    for (var wheel : wheels) {
      sum += wheel.size();
    }
    return sum;
  }
}
