package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.readiness.ReadinessDriver;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;

/** epoll, on any Linux. */
public final class EpollBackend implements Backend {
  static final String NAME = "epoll";

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
      EpollPoller instance = EpollPoller.open();
      var batch = new EpollEvents();
      try {
        instance.await(batch, 1);
      } finally {
        instance.close();
      }
      return Backend.available(
          NAME, "edge-triggered, waits to the " + (batch.isFine() ? "nanosecond" : "millisecond"));
    } catch (IOException e) {
      return Backend.refused(NAME, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new ReadinessDriver(seats, probe, EpollPoller::open);
  }
}
