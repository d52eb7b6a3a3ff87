package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.BackendProbe;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;

/** io_uring, where the kernel has it and this process may use it. */
public final class UringBackend implements Backend {

  @Override
  public String name() {
    return UringDriver.NAME;
  }

  @Override
  public BackendProbe probe() {
    String obstacle = NativeAccess.obstacleOnLinux();
    if (obstacle != null) {
      return BackendProbe.refused(UringDriver.NAME, obstacle);
    }
    UringFindings findings = UringFindings.gather();
    String features = "features 0x" + Integer.toHexString(findings.features());
    return findings
        .obstacle()
        .map(reason -> BackendProbe.refused(UringDriver.NAME, reason))
        .orElseGet(() -> BackendProbe.available(UringDriver.NAME, features));
  }

  @Override
  public Driver create(Seats seats) {
    return new UringDriver(seats);
  }
}
