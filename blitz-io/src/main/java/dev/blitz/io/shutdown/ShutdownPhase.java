package dev.blitz.io.shutdown;

/**
 * How far a {@link Shutdown} has come. Phases only ever go forward, in this order.
 *
 * <pre>
 *   FROM       -> TO         trigger                                   actor
 *   RUNNING    -> LINGERING  a signal, trigger(), drain(), the JVM     whoever is first
 *   LINGERING  -> STOPPING   the linger is over or cut short           the drain
 *   STOPPING   -> DRAINING   its actions have ended or are given up    the drain
 *   DRAINING   -> CLOSING    nothing is pending, or what is was given up  the drain
 *   CLOSING    -> ENDED      its actions have ended or are given up    the drain
 *   any        -> ENDED      close()                                   any thread
 * </pre>
 */
public enum ShutdownPhase {
  /** Nobody has asked for an end. */
  RUNNING,
  /** Triggered; what has come in already is still taken. */
  LINGERING,
  /** Nothing new is taken: listeners are closed. */
  STOPPING,
  /** What has begun is finished. */
  DRAINING,
  /** What the work needed is closed: pools, files, logs. */
  CLOSING,
  /** Over. */
  ENDED
}
