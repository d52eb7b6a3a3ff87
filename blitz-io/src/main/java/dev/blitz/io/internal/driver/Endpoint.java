package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.LostHandles;

/**
 * A backend's side of one descriptor. Methods here may be called on any thread, at any time. It
 * does not know the handle above it ({@code TcpStream} and its like), which every operation has,
 * also one that waits: its waker leads from here to the task, to the future, to the handle. So a
 * handle that nobody has any more has nobody waiting either, and its endpoint can be closed.
 */
public interface Endpoint extends LostHandles.Held {

  /** Whether {@link #close} has not been called. */
  @Override
  boolean isOpen();

  /**
   * Closes the descriptor: never waits, wakes whoever has left a waker here, and lets every later
   * call fail with {@link java.nio.channels.ClosedChannelException}. Bytes that a write has taken
   * are still sent. The number is closed once no call and no operation uses it. Closing again does
   * nothing.
   */
  @Override
  void close();
}
