package dev.blitz.io.process;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.util.List;

/** A way to start processes. Called on a thread of the runtime that may block. */
interface Spawning {

  /**
   * Starts all, the output of each being the input of the next. If one cannot be started, none is
   * left.
   */
  List<Running> start(Services services, List<CommandSpec> commands) throws IOException;

  /** The best way here. */
  static Spawning choose(Services services) {
    return NativeAccess.obstacleOnLinux() == null
            && NativeSpawning.isSupported()
            && hasDescriptors(services)
        ? new NativeSpawning()
        : new JdkSpawning();
  }

  private static boolean hasDescriptors(Services services) {
    try {
      return services.driver().endpoints().takesDescriptors();
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }
}
