package dev.blitz.io.signal;

/** Where signals come from: the JVM, or a test. The registry calls it under its lock. */
interface SignalPort {

  /** Whether the others can be called. */
  boolean isSupported();

  /**
   * Has {@code action} called for each signal from now on, on threads of the port's choice.
   *
   * @return puts back what was there before
   * @throws IllegalArgumentException if it cannot be done for this signal
   * @throws UnsupportedOperationException if it cannot be done at all
   */
  Runnable install(Signal signal, Runnable action);

  /** Sends the signal to this process. */
  void raise(Signal signal);
}
