package dev.blitz.io;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;

/** All backends by name. */
public final class TestBackends {
  private TestBackends() {}

  /** One on which files are used by the means of the JDK alone. */
  public static final String JDK_FILES = "epoll, files of the JDK";

  /** A builder of runtimes on {@code backend}. */
  public static RuntimeBuilder builder(String backend) {
    if (backend.equals(JDK_FILES)) {
      RuntimeBuilder builder = BlitzRuntime.builder().backend("epoll");
      builder.jdkFiles = true;
      return builder;
    }
    return BlitzRuntime.builder().backend(backend);
  }

  /** Whether {@code backend} is to be had, and why not. */
  public static BackendProbe probe(String backend) {
    return Backends.probeAll().stream()
        .filter(p -> p.name().equals(backend.equals(JDK_FILES) ? "epoll" : backend))
        .findFirst()
        .orElseThrow();
  }
}
