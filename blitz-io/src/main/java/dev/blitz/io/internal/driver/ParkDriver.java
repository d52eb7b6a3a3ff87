package dev.blitz.io.internal.driver;

import dev.blitz.io.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The driver without I/O: workers sleep until a deadline or an unpark. */
/* Implementation notes
 *
 * One word per worker:
 *   EMPTY    -> PARKED    park, by the worker
 *   PARKED   -> EMPTY     park ends by the deadline or for no reason, by the worker (getAndSet)
 *   any      -> NOTIFIED  unpark, by anyone (getAndSet); from PARKED it also unparks the thread
 *   NOTIFIED -> EMPTY     park returns, by the worker
 * The word, not LockSupport's permit, carries the notification: code inside a poll may use up the permit.
 */
public final class ParkDriver implements Driver {
  private static final int EMPTY = 0;
  private static final int PARKED = 1;
  private static final int NOTIFIED = 2;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(Seat.class, "word", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Seat {
    volatile int word;
    volatile @Nullable Thread thread;
  }

  private final TimeSource clock;
  private final Seat[] seats;
  private final String noSockets;

  /** For {@code workers} workers that live by {@code clock}. */
  public ParkDriver(int workers, TimeSource clock) {
    this(workers, clock, "this runtime was made without I/O");
  }

  /** {@code noSockets}: what to tell those who ask for sockets. */
  public ParkDriver(int workers, TimeSource clock, String noSockets) {
    this.clock = clock;
    this.noSockets = noSockets;
    seats = new Seat[workers];
    for (int i = 0; i < workers; i++) {
      seats[i] = new Seat();
    }
  }

  @Override
  public String name() {
    return "none";
  }

  @Override
  public Sockets sockets() {
    throw new UnsupportedOperationException(noSockets);
  }

  @Override
  public void attach(int worker) {
    seats[worker].thread = Thread.currentThread();
  }

  @Override
  public boolean park(int worker, long deadlineNanos) {
    Seat seat = seats[worker];
    if (!WORD.compareAndSet(seat, EMPTY, PARKED)) {
      // It was notified; only this thread leaves NOTIFIED. An RMW: if another unpark came since, it
      // is used up here, and what its caller did before must be seen by ours.
      WORD.getAndSet(seat, EMPTY);
      return false;
    }
    while (seat.word == PARKED) {
      if (deadlineNanos == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        long nanos = deadlineNanos - clock.nanoTime();
        if (nanos <= 0) {
          break;
        }
        if (clock.isManual()) {
          LockSupport.park(this); // whoever moves the clock unparks
        } else {
          LockSupport.parkNanos(this, nanos);
        }
      }
      if (Thread.interrupted()) {
        break; // nobody may interrupt a worker to any effect; a set flag would make park spin
      }
    }
    WORD.getAndSet(seat, EMPTY);
    return false;
  }

  @Override
  public void unpark(int worker) {
    Seat seat = seats[worker];
    if ((int) WORD.getAndSet(seat, NOTIFIED) == PARKED) {
      LockSupport.unpark(seat.thread);
    }
  }

  @Override
  public void close() {
    // Threads are all it uses, and they have ended.
  }
}
