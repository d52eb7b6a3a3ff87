package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.BackendProbe;
import java.lang.foreign.Arena;

/** Finds out whether this process may use io_uring by making a tiny ring and closing it. */
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
    try (var arena = Arena.ofConfined()) {
      var params = arena.allocate(UringAbi.PARAMS);
      int fd = UringCalls.setup(4, params);
      if (fd < 0) {
        return BackendProbe.refused(NAME, "io_uring_setup: " + UringCalls.describe(-fd));
      }
      UringCalls.close(fd);
      int features = UringAbi.features(params);
      return BackendProbe.available(NAME, "features 0x" + Integer.toHexString(features));
    }
  }
}
