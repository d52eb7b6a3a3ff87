package dev.blitz.io.signal;

/** Signals that a test sends, for tests of other packages. */
public final class FakeSignals {
  private final FakePort port = new FakePort();
  private final SignalRegistry registry = new SignalRegistry(port);

  /** As {@link Signals#listen}. */
  public SignalListener listen(Signal first, Signal... others) {
    return registry.listen(first, others);
  }

  /** Sends. */
  public void send(Signal signal) {
    port.send(signal);
  }

  /** How many signals are listened to. */
  public int installed() {
    return registry.installed();
  }
}
