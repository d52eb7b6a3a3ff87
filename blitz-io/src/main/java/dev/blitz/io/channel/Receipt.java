package dev.blitz.io.channel;

import java.util.Optional;

/**
 * Waits for a message of a receiver that has a position of its own. {@code R} is the message, and
 * the end is thrown; or it is an Optional of the message, and the end is an empty one.
 */
abstract class Receipt<T, R> extends ChannelFuture<R> {
  private final boolean optional;

  Receipt(boolean optional) {
    this.optional = optional;
  }

  /** May fail for want of memory: to be called before the message is taken. */
  @SuppressWarnings("unchecked") // as above
  final R result(T message) {
    return (R) (optional ? Optional.of(message) : message);
  }

  /** There is nothing left, and nothing more will come. */
  @SuppressWarnings("unchecked") // as above
  final R end(Object from) {
    if (optional) {
      return (R) Optional.empty();
    }
    throw ChannelClosedException.receiving(from.toString());
  }
}
