package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.observe.BackendProbe;
import java.util.Locale;

/** The JDK's asynchronous channels: I/O completion ports on Windows, and to be had everywhere. */
public final class IocpBackend implements Backend {
  static final String NAME = "iocp";

  private final Backend others;

  /** {@code others}: for the sockets that the JDK has no asynchronous channels for. */
  public IocpBackend(Backend others) {
    this.others = others;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BackendProbe probe() {
    BackendProbe beside = others.probe();
    if (!beside.available()) {
      return Backend.refused(NAME, beside.toString());
    }
    return Backend.available(
        NAME,
        isAtHome(System.getProperty("os.name", ""))
            ? "TCP on I/O completion ports, by the JDK; else " + others.name()
            : "TCP on the JDK's asynchronous channels, without completion ports; else "
                + others.name());
  }

  /** Whether the system called {@code osName} has completion ports. */
  public static boolean isAtHome(String osName) {
    return osName.toLowerCase(Locale.ROOT).startsWith("windows");
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new IocpDriver(
        others.create(seats, probe), // its refusals name this backend
        probe,
        IocpTuning.LINGER_NANOS,
        IocpTuning.LAST_LINGER_NANOS);
  }
}
