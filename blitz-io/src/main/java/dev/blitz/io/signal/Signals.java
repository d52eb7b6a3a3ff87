package dev.blitz.io.signal;

/**
 * Listens to signals that this process is sent.
 *
 * {@snippet :
 * try (SignalListener hangUps = Signals.listen(Signal.HUP)) {
 *   while (true) {
 *     hangUps.next().await();
 *     readConfiguration();
 *   }
 * }
 * }
 *
 * <p>While a signal has a listener, the JVM does not do what it otherwise does about it, such as to
 * end at {@link Signal#TERM}. When the last listener of a signal is closed, it does so again. Any
 * number may listen to the same signal, and each of them hears of it.
 *
 * <p>Needs the module {@code jdk.unsupported}, which every JDK has; an image that was made by
 * jlink, or a program that is started as a module, may have to add it. Works on no runtime and on
 * any thread.
 */
public final class Signals {
  private Signals() {}

  /**
   * Listens from now on, until the listener is closed.
   *
   * @param first a signal
   * @param others further ones, for the same listener
   * @throws IllegalArgumentException if the JVM needs one of them itself, or was told by {@code
   *     -Xrs} to leave it alone, or this system does not have it; the message says which. Then none
   *     is listened to.
   * @throws UnsupportedOperationException if the module jdk.unsupported is missing
   */
  public static SignalListener listen(Signal first, Signal... others) {
    return SignalRegistry.OF_THE_PROCESS.listen(first, others);
  }

  /** Whether {@link #listen} can work here: the module jdk.unsupported is there. */
  public static boolean isSupported() {
    return SignalRegistry.OF_THE_PROCESS.isSupported();
  }
}
