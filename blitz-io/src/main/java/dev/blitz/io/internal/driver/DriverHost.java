package dev.blitz.io.internal.driver;

/** What a driver may ask of the scheduler it serves. */
public interface DriverHost {

  /** The worker that the calling code runs on, or -1 outside the runtime's workers. */
  int currentWorker();
}
