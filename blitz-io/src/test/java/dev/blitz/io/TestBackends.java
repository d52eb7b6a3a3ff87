package dev.blitz.io;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.internal.driver.kqueue.KqueueOnEpoll;
import dev.blitz.io.observe.BackendProbe;

/** All backends by name. */
public final class TestBackends {
  private TestBackends() {}

  /** One on which files are used by the means of the JDK alone. */
  public static final String JDK_FILES = "epoll, files of the JDK";

  /** kqueue's poller, on calls that are made of epoll. */
  public static final String KQUEUE_ON_EPOLL = "kqueue on epoll";

  /** Made when it is asked for: it is of native calls. */
  private static final class FakeKqueue {
    static final Backend BACKEND = KqueueOnEpoll.backend(KQUEUE_ON_EPOLL);
  }

  /** A builder of runtimes on {@code backend}. */
  public static RuntimeBuilder builder(String backend) {
    if (backend.equals(JDK_FILES)) {
      RuntimeBuilder builder = BlitzRuntime.builder().backend("epoll");
      builder.jdkFiles = true;
      return builder;
    }
    if (backend.equals(KQUEUE_ON_EPOLL)) {
      RuntimeBuilder builder = BlitzRuntime.builder();
      builder.ownBackend = FakeKqueue.BACKEND;
      return builder;
    }
    return BlitzRuntime.builder().backend(backend);
  }

  /** Whether {@code backend} is to be had, and why not. */
  public static BackendProbe probe(String backend) {
    if (backend.equals(KQUEUE_ON_EPOLL)) {
      BackendProbe epoll = probe("epoll");
      return epoll.available() ? FakeKqueue.BACKEND.probe() : epoll;
    }
    return Backends.probeAll().stream()
        .filter(p -> p.name().equals(backend.equals(JDK_FILES) ? "epoll" : backend))
        .findFirst()
        .orElseThrow();
  }

  /** Skips the test where {@code backend} is not to be had, and says why. */
  public static void assumeAvailable(String backend) {
    BackendProbe probe = probe(backend);
    assumeTrue(probe.available(), probe::toString);
  }

  /** Skips the test where native code may not be called, and says why. */
  public static void assumeNative() {
    String obstacle = NativeAccess.obstacleOnLinux();
    assumeTrue(obstacle == null, () -> String.valueOf(obstacle));
  }
}
