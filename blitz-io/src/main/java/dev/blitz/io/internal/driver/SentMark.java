package dev.blitz.io.internal.driver;

/**
 * Whether bytes were sent since somebody last asked. A hint, shared by all workers: whoever sends
 * writes only where it finds it unset, so that it costs a look as a rule.
 */
public final class SentMark {
  private volatile boolean sent;

  /** Bytes were sent, or will be soon. */
  public void set() {
    if (!sent) {
      sent = true;
    }
  }

  /** Whether it was set; it is unset now. */
  public boolean take() {
    boolean was = sent;
    if (was) {
      sent = false;
    }
    return was;
  }
}
