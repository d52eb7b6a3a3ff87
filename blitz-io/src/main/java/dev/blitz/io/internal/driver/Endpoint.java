package dev.blitz.io.internal.driver;

/** A backend's side of one descriptor. Methods here may be called on any thread, at any time. */
public interface Endpoint {

  /** Whether {@link #close} has not been called. */
  boolean isOpen();

  /**
   * Closes the descriptor: never waits, wakes whoever has left a waker here, and lets every later
   * call fail with {@link java.nio.channels.ClosedChannelException}. Bytes that a write has taken
   * are still sent. The number is closed once no call and no operation uses it. Closing again does
   * nothing.
   */
  void close();
}
