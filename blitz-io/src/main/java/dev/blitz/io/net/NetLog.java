package dev.blitz.io.net;

/**
 * What sockets say in the log. Whoever tells has more important things to do, so it never throws.
 */
final class NetLog {
  private NetLog() {}

  /**
   * Warns, if that can be done now: a logger may need memory, or a descriptor for its first line.
   *
   * @return whether it was said
   */
  static boolean tryWarn(String message) {
    try {
      // No constant: a class that fails to initialise is lost for good.
      System.getLogger("dev.blitz.io").log(System.Logger.Level.WARNING, message);
      return true;
    } catch (Throwable notNow) {
      return false;
    }
  }
}
