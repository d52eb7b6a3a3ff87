package dev.blitz.io.channel;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The other side of a channel has gone: a value could not be sent, or there will be none to
 * receive. Loops over messages end instead of throwing this.
 *
 * {@snippet :
 * try {
 *   jobs.send(job).await();
 * } catch (ChannelClosedException e) {
 *   Object unsent = e.unsent().orElseThrow(); // the job; nobody else has it
 * }
 * }
 */
public final class ChannelClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object unsent;

  private ChannelClosedException(String message, @Nullable Object unsent) {
    super(message);
    this.unsent = unsent;
  }

  static ChannelClosedException sending(String channel, Object value) {
    return new ChannelClosedException(channel + " is closed: the value was not sent", value);
  }

  static ChannelClosedException reserving(String channel) {
    return new ChannelClosedException(channel + " is closed: there is nobody to send to", null);
  }

  static ChannelClosedException receiving(String channel) {
    return new ChannelClosedException(
        channel + " is closed and everything has been received", null);
  }

  /** The value that was not sent; empty if this was not about sending one. */
  public Optional<Object> unsent() {
    return Optional.ofNullable(unsent);
  }
}
