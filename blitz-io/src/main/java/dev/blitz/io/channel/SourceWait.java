package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a receiver that is polled as a source: a future for as long as there is nothing, none
 * while there is. A closed channel is the end.
 */
final class SourceWait<T> {
  private @Nullable UncheckedFuture<T> future;
  private boolean ended;

  boolean hasBegun() {
    return future != null;
  }

  boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
    forget();
  }

  /** Nothing was there. */
  @Nullable T begin(UncheckedFuture<T> receive, Context cx) {
    future = receive;
    return poll(cx);
  }

  @Nullable T poll(Context cx) {
    UncheckedFuture<T> now = future;
    if (now == null) {
      return null;
    }
    future = null; // unless it is pending: it has ended or failed
    T message;
    try {
      message = now.poll(cx);
    } catch (ChannelClosedException e) {
      ended = true;
      return null;
    }
    if (message == null) {
      future = now;
    }
    return message;
  }

  /** Whoever polled does so no more; if it had been woken for a message, the next receiver is. */
  void forget() {
    UncheckedFuture<T> now = future;
    if (now != null) {
      now.drop(); // first: one that overflows can be made again
      future = null;
    }
  }
}
