package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.observe.BackendProbe;

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
      return Backend.refused(UringDriver.NAME, obstacle);
    }
    UringFindings findings = UringFindings.gather();
    String features = "features 0x" + Integer.toHexString(findings.features());
    return findings
        .obstacle()
        .map(reason -> Backend.refused(UringDriver.NAME, reason))
        .orElseGet(() -> Backend.available(UringDriver.NAME, features));
  }

  @Override
  public boolean hasKernelCalls() {
    return true;
  }

  @Override
  public Driver create(Seats seats, BackendProbe probe) {
    return new UringDriver(seats, probe);
  }
}
