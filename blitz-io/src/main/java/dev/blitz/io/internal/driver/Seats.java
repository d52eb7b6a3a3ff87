package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.policy.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A place per worker where it parks, with a notification that may come before the park it is meant
 * for. A worker sleeps here, or says that it waits elsewhere and has to be woken there.
 */
/* Implementation notes
 *
 * One word per worker:
 *   EMPTY            -> PARKED, ELSEWHERE  trySit, by the worker
 *   PARKED/ELSEWHERE -> EMPTY              leave, by the worker (getAndSet)
 *   any              -> NOTIFIED           wake, by anyone (getAndSet); from PARKED it also unparks the thread
 *   NOTIFIED         -> EMPTY              trySit fails, or leave, by the worker
 * The word, not LockSupport's permit, carries the notification: code inside a poll may use up the permit.
 */
public final class Seats {
  private static final int EMPTY = 0;
  private static final int PARKED = 1;
  private static final int ELSEWHERE = 2;
  private static final int NOTIFIED = 3;

  private static final VarHandle WORD =
      Fields.of(MethodHandles.lookup(), Seat.class, "word", int.class);

  private static final class Seat {
    volatile int word;
    volatile @Nullable Thread thread;
  }

  private final TimeSource clock;
  private final Seat[] seats;

  /** For {@code workers} workers that live by {@code clock}. */
  public Seats(int workers, TimeSource clock) {
    this.clock = clock;
    seats = new Seat[workers];
    for (int i = 0; i < workers; i++) {
      seats[i] = new Seat();
    }
  }

  /** How many there are. */
  public int size() {
    return seats.length;
  }

  /** What those that sit here live by. */
  public TimeSource clock() {
    return clock;
  }

  /** The calling thread drives {@code worker} from now on. */
  public void attach(int worker) {
    seats[worker].thread = Thread.currentThread();
  }

  /** Sleeps until a wake, the deadline, or for no reason; at once if a wake came before. */
  public void sleep(int worker, long deadlineNanos) {
    if (!trySit(worker, PARKED)) {
      return;
    }
    Seat seat = seats[worker];
    while (seat.word == PARKED) {
      if (deadlineNanos == Long.MAX_VALUE || clock instanceof ManualClock) {
        if (isOver(deadlineNanos)) {
          break;
        }
        LockSupport.park(this); // whoever moves a manual clock unparks
      } else {
        long nanos = deadlineNanos - clock.nanoTime();
        if (nanos <= 0) {
          break;
        }
        LockSupport.parkNanos(this, nanos);
      }
      if (Thread.interrupted()) {
        break; // nobody may interrupt a worker to any effect; a set flag would make park spin
      }
    }
    leave(worker);
  }

  private boolean isOver(long deadlineNanos) {
    return deadlineNanos != Long.MAX_VALUE && deadlineNanos - clock.nanoTime() <= 0;
  }

  /**
   * The worker is going to wait elsewhere, until {@link #leave}.
   *
   * @return false if a wake came before; it is used up, and the worker must not wait
   */
  public boolean trySitElsewhere(int worker) {
    return trySit(worker, ELSEWHERE);
  }

  private boolean trySit(int worker, int how) {
    Seat seat = seats[worker];
    if (WORD.compareAndSet(seat, EMPTY, how)) {
      return true;
    }
    // It was notified; only this thread leaves NOTIFIED. An RMW: if another wake came since, it
    // is used up here, and what its caller did before must be seen by ours.
    WORD.getAndSet(seat, EMPTY);
    return false;
  }

  /** Whether the worker waits, here or elsewhere; for whoever has written what it must see. */
  public boolean isWaiting(int worker) {
    int word = seats[worker].word;
    return word == PARKED || word == ELSEWHERE;
  }

  /** Whether some thread drives the worker, or has. */
  public boolean isAttached(int worker) {
    return seats[worker].thread != null;
  }

  /** The worker waits no more. */
  public void leave(int worker) {
    WORD.getAndSet(seats[worker], EMPTY);
  }

  /**
   * Ends the present or the next wait of {@code worker}.
   *
   * @return true if it waits elsewhere, and the caller must wake it there
   */
  public boolean wake(int worker) {
    Seat seat = seats[worker];
    int before = (int) WORD.getAndSet(seat, NOTIFIED);
    if (before == PARKED) {
      LockSupport.unpark(seat.thread);
    }
    return before == ELSEWHERE;
  }
}
