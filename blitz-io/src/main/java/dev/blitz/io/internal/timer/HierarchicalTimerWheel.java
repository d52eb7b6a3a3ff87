package dev.blitz.io.internal.timer;

import static java.util.Objects.requireNonNull;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.base.Telling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.UndeclaredThrowableException;
import org.jspecify.annotations.Nullable;

/**
 * Timers on a hierarchical wheel: constant time to schedule and cancel, no allocation, no timer
 * early, and a jump of the clock costs as much as the timers it passes.
 *
 * <p>Thread-safe. Any thread may call any method, {@link #advance} included, and several may
 * advance at once. The wheel never reads a clock and never wakes anybody: {@link #schedule} says
 * when whoever sleeps until {@link #nextTick()} has to be woken, and that is the caller's duty.
 * Timers of different ticks are fired in the order of the ticks, those of one tick in the order
 * they were scheduled, as far as one thread advances.
 *
 * <p>{@code docs/design/timer.md} has the protocol, the orderings and the proofs.
 */
public final class HierarchicalTimerWheel {
  /*
   * Implementation notes
   *
   * Ownership  lock guards slots, closed and every entry's fields; nextTick, caughtUpTick and spareBatch are
   *            written as the table says.
   * Protocol   schedule, cancel: one hold of the lock. advance: per batch, collect under the lock
   *            and publish nextTick, then fire without it, so fire() may use the wheel.
   * Orderings  nextTick     lowered: volatile; raised: release, both under the lock | volatile
   *            caughtUpTick  opaque | opaque: a hint
   *            hasFresh     opaque under the lock | opaque: a hint, exact for who schedules
   *            spareBatch   release | acquire, by exchange: who takes it has it alone
   * Progress   blocking, each hold bounded by TimerTuning.BATCH steps.
   * Lineage    Varghese and Lauck's hierarchical wheels, with the level taken from the highest
   *            differing bit and absolute slots, as in Tokio. We add the bound per slot, so that
   *            a sleeper is not woken just to cascade, and an overflow list.
   */

  private static final VarHandle NEXT_TICK =
      Fields.of(MethodHandles.lookup(), "nextTick", long.class);
  private static final VarHandle CAUGHT_UP_TICK =
      Fields.of(MethodHandles.lookup(), "caughtUpTick", long.class);
  private static final VarHandle SPARE_BATCH =
      Fields.of(MethodHandles.lookup(), "spareBatch", TimerEntry[].class);
  private static final VarHandle HAS_FRESH =
      Fields.of(MethodHandles.lookup(), "hasFresh", boolean.class);

  final SpinLock lock = new SpinLock();
  final WheelSlots slots;
  private final int batchLength;

  /** Why nothing may enter any more; null while it may. Guarded by the lock. */
  private @Nullable String closed;

  private long nextTick = Long.MAX_VALUE;

  @SuppressWarnings("UnusedVariable") // through HAS_FRESH
  private boolean hasFresh;

  @SuppressWarnings("UnusedVariable") // through CAUGHT_UP_TICK
  private long caughtUpTick;

  @SuppressWarnings("UnusedVariable") // through SPARE_BATCH
  private @Nullable TimerEntry @Nullable [] spareBatch;

  /** An empty wheel at tick 0, one of several that know their entries by the wheel's number. */
  public HierarchicalTimerWheel(int number) {
    this(number, TimerTuning.LEVELS, TimerTuning.SLOT_BITS, TimerTuning.BATCH);
  }

  HierarchicalTimerWheel(int number, int levels, int slotBits, int batchLength) {
    this.slots = new WheelSlots(number, levels, slotBits);
    this.batchLength = batchLength;
  }

  /**
   * Puts an entry into the wheel.
   *
   * @param entry an entry that is not scheduled
   * @param deadlineTick when it is due; at once if that has passed
   * @return whether it became the earliest, so that whoever sleeps for timers must be woken
   * @throws IllegalStateException if the entry is scheduled, or the wheel is closed
   */
  public boolean schedule(TimerEntry entry, long deadlineTick) {
    lock.lock();
    try {
      refuseIfClosed();
      slots.insert(entry, deadlineTick);
      return lowerNextTick(entry.deadlineTick());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts an entry into the wheel that is due some time after the next {@link #admit}. So the clock
   * is read once for many entries, and not at all for those that are cancelled before. Somebody has
   * to call {@code admit} soon.
   *
   * @param entry an entry that is not scheduled
   * @param nanos the duration, not negative
   * @throws IllegalStateException if the entry is scheduled, or the wheel is closed
   */
  void scheduleFresh(TimerEntry entry, long nanos) {
    lock.lock();
    try {
      refuseIfClosed();
      slots.insertFresh(entry, nanos);
      HAS_FRESH.setOpaque(this, true);
    } finally {
      lock.unlock();
    }
  }

  /** Whether {@link #admit} has something to do; exact for the thread that scheduled it. */
  boolean hasFresh() {
    return (boolean) HAS_FRESH.getOpaque(this);
  }

  /**
   * Gives fresh entries their deadlines, counted from now.
   *
   * @param clock read under the lock, hence after all of them were scheduled: none will be early
   * @return the earliest deadline if one of them became the earliest of the wheel, so that whoever
   *     sleeps for timers must be woken; otherwise MAX_VALUE
   */
  long admit(TickClock clock) {
    long least = Long.MAX_VALUE;
    boolean lowered = false;
    boolean more = true;
    while (more) {
      lock.lock();
      try {
        if (slots.hasFresh()) {
          least = Math.min(least, slots.admit(clock.nowNanos(), batchLength));
          lowered |= lowerNextTick(least);
        }
        more = slots.hasFresh();
        if (!more) {
          HAS_FRESH.setOpaque(this, false);
        }
      } finally {
        lock.unlock();
      }
    }
    return lowered ? least : Long.MAX_VALUE;
  }

  /**
   * Moves an entry to another deadline, or schedules it anew if it was not scheduled any more. If
   * it was, it does not fire for the old one.
   *
   * @param entry the entry, in any state
   * @param deadlineTick when it is due; at once if that has passed
   * @return whether it became earlier than all were before
   */
  public boolean reschedule(TimerEntry entry, long deadlineTick) {
    lock.lock();
    try {
      refuseIfClosed();
      if (entry.isScheduled()) {
        slots.remove(entry);
      }
      slots.insert(entry, deadlineTick);
      if (lowerNextTick(entry.deadlineTick())) {
        return true;
      }
      raiseNextTick();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an entry out; the wheel keeps no trace of it. The schedule must happen before this call.
   *
   * @param entry the entry, in any state
   * @return true if it will not fire; false if it was not scheduled, or expired first: then {@code
   *     fire()} was called or will be
   */
  public boolean cancel(TimerEntry entry) {
    if (!entry.isScheduled()) {
      return false; // nobody but the caller could schedule it again
    }
    lock.lock();
    try {
      if (!entry.isScheduled()) {
        return false;
      }
      boolean emptied = slots.remove(entry);
      if (!entry.isFresh() && (emptied || entry.deadlineTick() <= nextTick)) {
        raiseNextTick();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes those entries out that are in this wheel, under one hold of the lock, and removes them
   * from the array.
   *
   * @param number of this wheel
   */
  void cancelAll(@Nullable TimerEntry[] entries, int from, int to, int number) {
    lock.lock();
    try {
      for (int i = from; i < to; i++) {
        var entry = entries[i];
        if (entry != null && entry.wheel() == number) {
          slots.remove(entry);
          entries[i] = null;
        }
      }
      raiseNextTick();
    } finally {
      lock.unlock();
    }
  }

  /**
   * When the wheel has to be advanced next. Never later than the earliest deadline. Earlier only
   * after that of several timers which share a slot was cancelled, or while another thread is in
   * the midst of an advance; a thread that wakes for it advances, fires nothing, and reads the
   * exact tick.
   *
   * @return the tick, {@link Long#MAX_VALUE} if nothing is scheduled. A volatile read.
   */
  public long nextTick() {
    return (long) NEXT_TICK.getVolatile(this);
  }

  /**
   * Fires what is due, in batches, without the lock.
   *
   * <p>Fires at most about as many timers as were scheduled when it began: those that re-arm
   * themselves for now wait for the next call. Costs one volatile read when nothing is due.
   *
   * @param nowTick the time; one that lies behind an earlier call's counts as that one's
   * @return how many timers this call fired
   * @throws RuntimeException what the first failing {@code fire()} threw, or an {@link Error}, with
   *     the others' as suppressed, after all have fired
   */
  public int advance(long nowTick) {
    if (nowTick < nextTick()
        && nowTick - (long) CAUGHT_UP_TICK.getOpaque(this) < TimerTuning.MAX_LAG_TICKS) {
      return 0;
    }
    var batch = takeBatch();
    @Nullable Throwable failure = null;
    int fired = 0;
    int limit = -1;
    boolean more;
    do {
      int taken;
      lock.lock();
      try {
        if (limit < 0) {
          limit = slots.size();
        }
        slots.tell(nowTick);
        taken = slots.collect(batch);
        more = slots.nextTick() <= slots.now();
        raiseNextTick();
        CAUGHT_UP_TICK.setOpaque(this, slots.now());
      } finally {
        lock.unlock();
      }
      failure = fire(batch, taken, failure);
      fired += taken;
    } while (more && fired < limit);
    SPARE_BATCH.setRelease(this, batch);
    if (failure != null) {
      throw unchecked(failure);
    }
    return fired;
  }

  /**
   * Takes all entries out and tells each: {@code fire()} is called although it has not fired. From
   * then on nothing may enter.
   *
   * @param why the message for those who try
   * @throws RuntimeException as {@link #advance}
   */
  void close(String why) {
    var batch = new @Nullable TimerEntry[batchLength];
    @Nullable Throwable failure = null;
    int taken;
    do {
      lock.lock();
      try {
        closed = why;
        taken = slots.takeAny(batch);
        raiseNextTick();
        HAS_FRESH.setOpaque(this, false);
      } finally {
        lock.unlock();
      }
      failure = fire(batch, taken, failure);
    } while (taken > 0);
    if (failure != null) {
      throw unchecked(failure);
    }
  }

  /** The caller must hold the lock. */
  private void refuseIfClosed() {
    if (closed != null) {
      throw new IllegalStateException(closed);
    }
  }

  /**
   * How many timers are scheduled.
   *
   * @return the number now
   */
  public int size() {
    lock.lock();
    try {
      return slots.size();
    } finally {
      lock.unlock();
    }
  }

  /** A new earliest deadline; the caller must hold the lock. */
  private boolean lowerNextTick(long tick) {
    if (tick >= nextTick) {
      return false;
    }
    // Volatile: pairs with the sleeper, which announces itself and then reads nextTick(), while
    // our caller goes on to look for a sleeper. With less, both may miss each other.
    NEXT_TICK.setVolatile(this, tick);
    return true;
  }

  /**
   * After entries have left; the caller must hold the lock. Never lowers: an advance that pauses in
   * the midst of a cascade sees a bound below the published one, and to publish that would make a
   * concurrent schedule() believe that somebody is about to wake for it.
   */
  private void raiseNextTick() {
    long next = slots.nextTick();
    if (next > nextTick) {
      NEXT_TICK.setRelease(this, next);
    }
  }

  private @Nullable TimerEntry[] takeBatch() {
    var spare = (@Nullable TimerEntry @Nullable []) SPARE_BATCH.getAndSetAcquire(this, null);
    return spare != null ? spare : new @Nullable TimerEntry[batchLength];
  }

  private static @Nullable Throwable fire(
      @Nullable TimerEntry[] batch, int taken, @Nullable Throwable earlier) {
    var failure = earlier;
    for (int i = 0; i < taken; i++) {
      try {
        requireNonNull(batch[i]).fire();
      } catch (Throwable t) {
        if (failure == null) {
          failure = t;
        } else {
          Telling.suppress(failure, t);
        }
      }
      batch[i] = null; // the spare batch keeps nothing alive
    }
    return failure;
  }

  static RuntimeException unchecked(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new UndeclaredThrowableException(failure);
    }
  }
}
