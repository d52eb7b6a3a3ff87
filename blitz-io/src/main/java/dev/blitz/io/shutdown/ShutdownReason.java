package dev.blitz.io.shutdown;

import dev.blitz.io.signal.Signal;

/** What has triggered a {@link Shutdown}. */
public sealed interface ShutdownReason {

  /** A signal that the process was sent. */
  record BySignal(Signal signal) implements ShutdownReason {
    @Override
    public String toString() {
      return "SIG" + signal;
    }
  }

  /** A call, with the words of the caller. */
  record ByCode(String why) implements ShutdownReason {
    @Override
    public String toString() {
      return why;
    }
  }

  /** The JVM ends: {@code System.exit}, or a signal that nobody listens to. */
  record ByJvmExit() implements ShutdownReason {
    @Override
    public String toString() {
      return "the end of the JVM";
    }
  }
}
