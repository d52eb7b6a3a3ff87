package dev.blitz.io.internal.driver;

import dev.blitz.io.BackendProbe;

/** A kind of driver that this library has. */
public interface Backend {

  /** Such as {@code epoll}; what {@link #probe} calls itself, and what a user may force. */
  String name();

  /** Whether this process may use it. Never throws; each obstacle is a reason in the answer. */
  BackendProbe probe();

  /**
   * A driver of this kind, whose workers sit in {@code seats}; only after {@link #probe} said that
   * it is available. Opens nothing before the first socket.
   */
  Driver create(Seats seats);
}
