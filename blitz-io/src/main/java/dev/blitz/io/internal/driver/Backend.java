package dev.blitz.io.internal.driver;

import dev.blitz.io.observe.BackendProbe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of driver that this library has. */
public interface Backend {

  /** Such as {@code epoll}; what {@link #probe} calls itself, and what a user may force. */
  String name();

  /** Whether this process may use it. Never throws; each obstacle is a reason in the answer. */
  BackendProbe probe();

  /**
   * A driver of this kind, whose workers sit in {@code seats}; only after {@link #probe} said that
   * it is available. Opens nothing before {@link Driver#open} or the first socket.
   */
  Driver create(Seats seats, BackendProbe probe);

  /** Whether its drivers have {@link Driver#kernelCalls}. */
  default boolean hasKernelCalls() {
    return false;
  }

  /** What a probe answers where it works. */
  static BackendProbe available(String name, String features) {
    return new BackendProbe(name, true, features);
  }

  /** What a probe answers where it does not, and why. */
  static BackendProbe refused(String name, String reason) {
    return new BackendProbe(name, false, reason);
  }

  /** Looks for a backend. */
  @FunctionalInterface
  interface Search {
    /** The best that is available, and is none of those that have been {@code refused}. */
    Found best(List<BackendProbe> refused);
  }

  /**
   * What a search for a backend has found.
   *
   * @param backend the best that is available, if any
   * @param probe of that backend, or the reasons why there is none
   */
  record Found(@Nullable Backend backend, BackendProbe probe) {}
}
