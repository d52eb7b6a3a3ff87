package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import java.nio.channels.Selector;

/** The JDK's selector: every platform has it, and it needs no native access. */
public final class NioBackend implements Backend {
  static final String NAME = "nio";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BackendProbe probe() {
    try (Selector selector = Selector.open()) {
      return Backend.available(
          NAME, "the JDK's selector and channels: " + selector.provider().getClass().getName());
    } catch (IOException e) {
      return Backend.refused(NAME, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new NioDriver(seats, probe);
  }
}
