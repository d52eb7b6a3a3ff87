package dev.blitz.io.internal.driver;

import org.jspecify.annotations.Nullable;

/** Whether this library may call native code. */
public final class NativeAccess {
  private NativeAccess() {}

  /** Why the Linux backends cannot be tried, or null. Calls nothing native. */
  public static @Nullable String obstacleOnLinux() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "only Linux has it";
    }
    Module module = NativeAccess.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      String who = module.isNamed() ? module.getName() : "ALL-UNNAMED";
      return "native access is off: start with --enable-native-access=" + who;
    }
    return null;
  }
}
