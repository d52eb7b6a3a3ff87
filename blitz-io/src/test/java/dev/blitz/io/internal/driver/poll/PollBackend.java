package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.readiness.ReadinessDriver;
import dev.blitz.io.observe.BackendProbe;

/** A third backend, for tests: what one costs that is made of readiness. */
public final class PollBackend implements Backend {
  public static final String NAME = "poll";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BackendProbe probe() {
    return Backend.available(NAME, "level-triggered, for tests");
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new ReadinessDriver(seats, probe, PollPoller::new);
  }
}
