package dev.blitz.io.internal.driver.kqueue;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.readiness.ReadinessDriver;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** kqueue, on macOS and FreeBSD, and on a Linux that has libkqueue. */
public final class KqueueBackend implements Backend {
  static final String NAME = "kqueue";

  private final String name;
  private final @Nullable KqueueCalls calls;

  /** On the system's own calls. */
  public KqueueBackend() {
    this(NAME, null);
  }

  /** On {@code calls}, which are always available. */
  KqueueBackend(String name, @Nullable KqueueCalls calls) {
    this.name = name;
    this.calls = calls;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public BackendProbe probe() {
    String obstacle = NativeAccess.obstacle();
    if (obstacle == null && calls == null) {
      obstacle = SystemKqueueCalls.obstacle();
    }
    if (obstacle != null) {
      return Backend.refused(name, obstacle);
    }
    try {
      KqueueCalls used = calls();
      KqueuePoller instance = KqueuePoller.open(used);
      try {
        instance.await(instance.newEvents(), 1);
      } finally {
        instance.close();
      }
      return Backend.available(
          name, "edge-triggered, layout " + used.abi() + ", waits to the nanosecond");
    } catch (IOException | IllegalStateException e) {
      return Backend.refused(name, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    KqueueCalls used = calls();
    return new ReadinessDriver(seats, probe, () -> KqueuePoller.open(used));
  }

  private KqueueCalls calls() {
    return calls != null ? calls : new SystemKqueueCalls();
  }
}
