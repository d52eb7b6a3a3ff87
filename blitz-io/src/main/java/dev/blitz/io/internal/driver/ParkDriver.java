package dev.blitz.io.internal.driver;

import dev.blitz.io.time.TimeSource;

/** The driver without I/O: workers sleep until a deadline or an unpark. */
public final class ParkDriver implements Driver {
  private final Seats seats;
  private final String noSockets;

  /** For {@code workers} workers that live by {@code clock}. */
  public ParkDriver(int workers, TimeSource clock) {
    this(workers, clock, "this runtime was made without I/O");
  }

  /** {@code noSockets}: what to tell those who ask for sockets. */
  public ParkDriver(int workers, TimeSource clock, String noSockets) {
    this.seats = new Seats(workers, clock);
    this.noSockets = noSockets;
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
    seats.attach(worker);
  }

  @Override
  public boolean park(int worker, long deadlineNanos) {
    seats.sleep(worker, deadlineNanos);
    return false;
  }

  @Override
  public void unpark(int worker) {
    seats.wake(worker);
  }

  @Override
  public void close() {
    // Threads are all it uses, and they have ended.
  }
}
