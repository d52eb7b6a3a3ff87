package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.Machine;

/** What a driver may ask of the scheduler it serves. */
public interface DriverHost {

  /** The worker that the calling code runs on, or -1 outside the runtime's workers. */
  int currentWorker();

  /** Real time, in nanoseconds since some moment. */
  default long nanoTime() {
    return Machine.REAL.nanoTime();
  }

  /**
   * Lets some parked worker park anew, if there is one; a thread is started if none has one. For a
   * driver that needs a worker inside and has none. Any thread.
   */
  void callWorker();

  /**
   * Lets a thread that may wait make {@code call}, which closes something and waits for nothing of
   * the runtime's. Any thread.
   *
   * @return false if there is none any more; then the call is not made
   */
  default boolean callBlocking(Runnable call) {
    return false;
  }
}
