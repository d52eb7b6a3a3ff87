package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.BackendProbe;

/** Finds out whether this process may use io_uring by making a tiny ring and using it. */
public final class UringProbe {
  private UringProbe() {}

  private static final String NAME = "io_uring";

  /** Never throws: each obstacle is a reason in the answer. */
  public static BackendProbe probe() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return BackendProbe.refused(NAME, "only Linux has it");
    }
    Module module = UringProbe.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
      return BackendProbe.refused(
          NAME, "native access is off: start with --enable-native-access=" + who);
    }
    UringFindings findings = UringFindings.gather();
    String features = "features 0x" + Integer.toHexString(findings.features());
    return findings
        .obstacle()
        .map(reason -> BackendProbe.refused(NAME, reason))
        .orElseGet(() -> BackendProbe.available(NAME, features));
  }
}
