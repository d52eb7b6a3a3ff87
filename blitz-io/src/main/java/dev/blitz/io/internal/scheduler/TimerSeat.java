package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who sleeps for the timers: at most one parked worker sleeps with their deadline (it "sits"); the
 * others sleep until they are woken.
 */
/* Implementation notes
 *
 * Whoever makes the next deadline earlier wakes the sitter. A sitter that is claimed stands up; busy workers look
 * at the timers each round, the next one that parks sits down, and the overseer seats a parked one if the busy ones are
 * stuck.
 *
 *   sitter   by CAS from -1 to a worker that parks, back by that worker; read by all; volatile. A worker sits down
 *            before it reads the deadline, and a deadline is written before the sitter is read: one of them sees the
 *            other
 */
final class TimerSeat {
  private static final VarHandle SITTER = Fields.of(MethodHandles.lookup(), "sitter", int.class);

  private final Crew crew;
  private final boolean manualClock;
  private final RuntimeTimers timers;
  private volatile int sitter = -1;

  TimerSeat(Crew crew, TimeSource clock, int workers) {
    this.crew = crew;
    this.manualClock = clock instanceof ManualClock;
    this.timers = new RuntimeTimers(clock, workers, this::deadlineMovedEarlier);
  }

  /** The timers it is about. */
  RuntimeTimers timers() {
    return timers;
  }

  /** The worker that sits, or -1. */
  int sitter() {
    return sitter;
  }

  /** Worker {@code index}, which is parking, sits down if nobody does. */
  boolean trySitDown(int index) {
    return sitter == index || SITTER.compareAndSet(this, -1, index);
  }

  /** Worker {@code index} has ended its park. */
  void standUp(int index) {
    if (sitter == index) {
      timers.sleepEnded(); // while it has the seat: then it is for the next one to say
      sitter = -1;
    }
  }

  /** The next deadline has become earlier: whoever sleeps for it must know. */
  void deadlineMovedEarlier() {
    int sitting = sitter;
    if (sitting >= 0) {
      crew.driver().unpark(sitting);
    } else if (crew.idle().allParked()) {
      seatSomebody(); // nobody has sat down yet; a busy worker would look at the timers by itself
    }
  }

  /** If nobody sleeps for the timers, lets a parked worker do so. */
  void seatSomebody() {
    if (sitter < 0 && (manualClock || timers.nextDeadlineNanos() != Long.MAX_VALUE)) {
      crew.callWorker(); // it looks again, sits down and goes on sleeping
    }
  }
}
