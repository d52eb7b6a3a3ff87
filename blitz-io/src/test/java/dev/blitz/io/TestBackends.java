package dev.blitz.io;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.internal.driver.poll.PollBackend;
import dev.blitz.io.observe.BackendProbe;

/** All backends by name, that of the tests included. */
public final class TestBackends {
  private TestBackends() {}

  /** A builder of runtimes on {@code backend}. */
  public static RuntimeBuilder builder(String backend) {
    if (!backend.equals(PollBackend.NAME)) {
      return BlitzRuntime.builder().backend(backend);
    }
    RuntimeBuilder builder = BlitzRuntime.builder();
    builder.ownBackend = new PollBackend();
    return builder;
  }

  /** Whether {@code backend} is to be had, and why not. */
  public static BackendProbe probe(String backend) {
    return backend.equals(PollBackend.NAME)
        ? new PollBackend().probe()
        : Backends.probeAll().stream()
            .filter(p -> p.name().equals(backend))
            .findFirst()
            .orElseThrow();
  }
}
