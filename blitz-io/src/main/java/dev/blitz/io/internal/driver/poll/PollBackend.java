package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.readiness.ReadinessDriver;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;

/** poll(2), which every Linux has and no container denies. */
public final class PollBackend implements Backend {
  static final String NAME = "poll";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BackendProbe probe() {
    String obstacle = NativeAccess.obstacleOnLinux();
    if (obstacle != null) {
      return Backend.refused(NAME, obstacle);
    }
    try {
      PollPoller instance = PollPoller.open();
      try {
        instance.await(instance.newEvents(), 1);
      } finally {
        instance.close();
      }
      return Backend.available(NAME, "level-triggered, all that is waited for with each call");
    } catch (IOException | IllegalStateException e) {
      return Backend.refused(NAME, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new ReadinessDriver(seats, probe, PollPoller::open);
  }
}
