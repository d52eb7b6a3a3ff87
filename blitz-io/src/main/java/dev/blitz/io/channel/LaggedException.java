package dev.blitz.io.channel;

/**
 * A receiver of a {@link Broadcast} was too slow: messages it had not received were overwritten.
 * The next receive yields the oldest message that is left.
 */
public final class LaggedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long missed;

  LaggedException(long missed) {
    super("this receiver was too slow and missed " + missed + " messages");
    this.missed = missed;
  }

  /** How many messages were lost to this receiver since it last heard of any. */
  public long missed() {
    return missed;
  }
}
