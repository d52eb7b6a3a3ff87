package dev.blitz.io;

import dev.blitz.io.internal.driver.Backends;
import java.util.List;

/**
 * What looking for one I/O backend on this machine found.
 *
 * {@snippet :
 * for (BackendProbe probe : BackendProbe.all()) {
 *   System.out.println(probe);
 * }
 * }
 *
 * @param name the backend, such as {@code io_uring}
 * @param available whether this process may use it
 * @param detail its features when available, otherwise the reason why not
 */
public record BackendProbe(String name, boolean available, String detail) {

  /** Probes every backend, best first. Takes a few milliseconds and leaves nothing open. */
  public static List<BackendProbe> all() {
    return Backends.probeAll();
  }

  /** A backend that works here. */
  public static BackendProbe available(String name, String features) {
    return new BackendProbe(name, true, features);
  }

  /** A backend that does not, and why. */
  public static BackendProbe refused(String name, String reason) {
    return new BackendProbe(name, false, reason);
  }

  @Override
  public String toString() {
    return name + (available ? ": available, " : ": not available, ") + detail;
  }
}
