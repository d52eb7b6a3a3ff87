package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Whether this library may call native code. */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Why the Linux backends cannot be tried, or null. Calls nothing native. Where nobody has allowed
   * or denied native access, the JVM allows it and warns once: so it is tried.
   */
  public static @Nullable String obstacleOnLinux() {
    return Platform.here() == Platform.LINUX ? obstacle() : "only Linux has it";
  }

  /** Why nothing native can be called, whatever the system; or null. */
  public static @Nullable String obstacle() {
    Module module = NativeAccess.class.getModule();
    return module.isNativeAccessEnabled() || isTolerated()
        ? null
        : "native access is denied: start with --enable-native-access="
            + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  /** The cheapest call that the JVM would refuse. */
  @SuppressWarnings("restricted") // that is what it asks
  private static boolean isTolerated() {
    try {
      MemorySegment.NULL.reinterpret(0);
      return true;
    } catch (IllegalCallerException e) {
      return false;
    }
  }
}
