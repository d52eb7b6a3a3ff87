package dev.blitz.io.internal.driver;

import dev.blitz.io.BackendProbe;
import dev.blitz.io.internal.driver.epoll.EpollBackend;
import dev.blitz.io.internal.driver.uring.UringBackend;
import dev.blitz.io.time.TimeSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The backends there are, best first, and the choice among them. */
public final class Backends {
  private Backends() {}

  private static final System.Logger LOG = System.getLogger("dev.blitz.io");

  private static final List<Backend> ALL = List.of(new EpollBackend(), new UringBackend());

  /**
   * Those that were found once: a runtime need not look again. A refusal may be for a while only.
   */
  private static final ConcurrentMap<String, BackendProbe> FOUND = new ConcurrentHashMap<>();

  /**
   * A driver, and what was found when it was chosen.
   *
   * @param probe of the driver's backend, or the reasons why there is none
   */
  public record Choice(Driver driver, BackendProbe probe) {}

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
  public static Choice choose(@Nullable String forced, int workers, TimeSource clock) {
    if (forced != null) {
      Backend backend = named(forced);
      BackendProbe probe = probe(backend);
      if (!probe.available()) {
        throw new UnsupportedOperationException("the backend that was asked for: " + probe);
      }
      return new Choice(backend.create(workers, clock), probe);
    }
    var reasons = new StringBuilder("no I/O backend is available here");
    for (Backend backend : ALL) {
      BackendProbe probe = probe(backend);
      if (probe.available()) {
        return new Choice(backend.create(workers, clock), probe);
      }
      LOG.log(System.Logger.Level.INFO, probe::toString);
      reasons.append("; ").append(probe);
    }
    var driver = new ParkDriver(workers, clock, reasons.toString());
    return new Choice(driver, BackendProbe.refused(driver.name(), reasons.toString()));
  }

  private static BackendProbe probe(Backend backend) {
    BackendProbe found = FOUND.get(backend.name());
    if (found != null) {
      return found;
    }
    BackendProbe probe = backend.probe();
    if (probe.available()) {
      FOUND.put(backend.name(), probe);
    }
    return probe;
  }

  private static Backend named(String name) {
    for (Backend backend : ALL) {
      if (backend.name().equals(name)) {
        return backend;
      }
    }
    throw new IllegalArgumentException(
        "no backend is called '"
            + name
            + "'; there are "
            + ALL.stream().map(Backend::name).toList());
  }
}
