package dev.blitz.io.internal.driver;

import dev.blitz.io.BackendProbe;
import dev.blitz.io.time.TimeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The backends there are, best first, and the choice among them. */
public final class Backends {
  private Backends() {}

  private static final List<Backend> ALL = List.of();

  /** Looks at every backend, best first. */
  public static List<BackendProbe> probeAll() {
    return ALL.stream().map(Backend::probe).toList();
  }

  /**
   * A driver of the best backend that is available, or of the one called {@code forced}. Without
   * any, a driver that has no sockets and says why.
   *
   * @throws UnsupportedOperationException if {@code forced} is not available
   * @throws IllegalArgumentException if there is no backend of that name
   */
  public static Driver create(@Nullable String forced, int workers, TimeSource clock) {
    if (forced != null) {
      return forced(forced, workers, clock);
    }
    var reasons = new StringBuilder("no I/O backend is available here");
    for (Backend backend : ALL) {
      BackendProbe probe = backend.probe();
      if (probe.available()) {
        return backend.create(workers, clock);
      }
      reasons.append("; ").append(probe);
    }
    return new ParkDriver(workers, clock, reasons.toString());
  }

  private static Driver forced(String name, int workers, TimeSource clock) {
    for (Backend backend : ALL) {
      if (backend.name().equals(name)) {
        BackendProbe probe = backend.probe();
        if (!probe.available()) {
          throw new UnsupportedOperationException("the backend that was asked for: " + probe);
        }
        return backend.create(workers, clock);
      }
    }
    throw new IllegalArgumentException(
        "no backend is called '"
            + name
            + "'; there are "
            + ALL.stream().map(Backend::name).toList());
  }
}
