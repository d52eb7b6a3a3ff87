package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.stream.Source;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Channel#sendAll}: owns its source. */
final class SendAllFuture<T> implements Future<Done> {
  private final Channel<T> channel;
  private final Source<? extends T> source;

  /** The item that found no room. */
  private @Nullable UncheckedFuture<Done> sending;

  private boolean ended;

  SendAllFuture(Channel<T> channel, Source<? extends T> source) {
    this.channel = channel;
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public @Nullable Done poll(Context cx) throws Exception {
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    try {
      if (!isDone(cx)) {
        return null;
      }
    } catch (Throwable t) {
      ended = true;
      closeAfter(t);
      throw t;
    }
    ended = true;
    source.close();
    return Done.DONE;
  }

  /** The failure has the item, perhaps: it is what is thrown. */
  private void closeAfter(Throwable failure) {
    try {
      source.close();
    } catch (Throwable t) {
      Telling.suppress(failure, t);
    }
  }

  private boolean isDone(Context cx) throws Exception {
    for (; ; ) {
      UncheckedFuture<Done> before = sending;
      if (before != null) {
        sending = null; // unless it is pending: it has ended or failed
        if (before.poll(cx) == null) {
          sending = before;
          return false;
        }
      }
      T item = source.pollNext(cx);
      if (item == null) {
        return source.hasEnded();
      }
      if (channel.senders.isClosedToNewcomers() || channel.trySend(item) != SendResult.SENT) {
        sending = channel.send(item); // waits, or fails with the item
      }
    }
  }

  @Override
  public void drop() {
    StackRoom.forMany(); // what waits in the channel asks for less
    ended = true;
    UncheckedFuture<Done> before = sending;
    try {
      if (before != null) {
        before.drop();
        sending = null;
      } else {
        source.forgetNext();
      }
    } finally {
      source.close();
    }
  }

  @Override
  public String toString() {
    return sending == null ? "the next of " + source : sending.toString();
  }
}
