package dev.blitz.io.internal.driver.backends;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.ParkDriver;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.epoll.EpollBackend;
import dev.blitz.io.internal.driver.iocp.IocpBackend;
import dev.blitz.io.internal.driver.kqueue.KqueueBackend;
import dev.blitz.io.internal.driver.nio.NioBackend;
import dev.blitz.io.internal.driver.poll.PollBackend;
import dev.blitz.io.internal.driver.uring.UringBackend;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The backends there are, best first, and the choice among them. */
public final class Backends {
  private Backends() {}

  private static final Backend IOCP = new IocpBackend(new NioBackend());

  private static final List<Backend> ALL = order(System.getProperty("os.name", ""));

  /** iocp is the first on Windows; elsewhere it is there for whoever names it. */
  static List<Backend> order(String osName) {
    var all = new ArrayList<Backend>();
    all.add(new UringBackend());
    all.add(new EpollBackend());
    all.add(new PollBackend());
    all.add(new KqueueBackend());
    all.add(new NioBackend());
    all.add(IocpBackend.isAtHome(osName) ? 0 : all.size(), IOCP);
    return List.copyOf(all);
  }

  /**
   * Those that were found once: a runtime need not look again. A refusal may be for a while only.
   */
  private static final ConcurrentMap<String, BackendProbe> FOUND = new ConcurrentHashMap<>();

  /** Refusals that have been logged: once for the process, not at each socket that is asked for. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  /** Looks at every backend, best first. */
  public static List<BackendProbe> probeAll() {
    return ALL.stream().map(Backend::probe).toList();
  }

  /**
   * A driver that looks for the best backend when it is needed, or one of the backend called {@code
   * forced}. Without any it has no sockets, and says why.
   *
   * @throws UnsupportedOperationException if {@code forced} is not available
   * @throws IllegalArgumentException if there is no backend of that name
   */
  public static Driver driver(@Nullable String forced, int workers, TimeSource clock) {
    if (forced == null) {
      return new ParkDriver(workers, clock, Backends::best);
    }
    return driverOf(named(forced), workers, clock);
  }

  /**
   * A driver of one backend.
   *
   * @throws UnsupportedOperationException if it is not available
   */
  public static Driver driverOf(Backend backend, int workers, TimeSource clock) {
    BackendProbe probe = probe(backend);
    if (!probe.available()) {
      throw new UnsupportedOperationException("the backend that was asked for: " + probe);
    }
    return backend.create(new Seats(workers, clock), probe);
  }

  /**
   * The best backend that is available here, and none of those that have been {@code refused} after
   * their probes; the answer says why.
   */
  public static Backend.Found best(List<BackendProbe> refused) {
    // Now and not with the first message: by then there may be no descriptor left to read its
    // configuration with.
    FailureLog.prepare();
    var reasons = new StringBuilder();
    for (Backend backend : ALL) {
      if (backend == IOCP && backend != ALL.getFirst()) {
        continue; // only where it is at home
      }
      BackendProbe probe = refusal(backend.name(), refused);
      if (probe == null) {
        probe = probe(backend);
      }
      if (probe.available()) {
        return new Backend.Found(backend, refused.isEmpty() ? probe : instead(probe, reasons));
      }
      if (TOLD.add(probe.toString())) {
        FailureLog.tryLog(System.Logger.Level.INFO, probe.toString(), null);
      }
      reasons.append("; ").append(probe);
    }
    String none = "no I/O backend is available here" + reasons;
    return new Backend.Found(null, Backend.refused("none", none));
  }

  private static @Nullable BackendProbe refusal(String name, List<BackendProbe> refused) {
    for (BackendProbe probe : refused) {
      if (probe.name().equals(name)) {
        return probe;
      }
    }
    return null;
  }

  private static BackendProbe instead(BackendProbe probe, CharSequence reasons) {
    return Backend.available(probe.name(), probe.detail() + reasons);
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
