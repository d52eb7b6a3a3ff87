package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.stream.UncheckedSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A counted right to receive, and a loop over the messages for direct style. Several receivers of
 * one channel share its messages.
 *
 * {@snippet :
 * try (Receiver<Job> jobs = channel.receiver()) {
 *   for (Job job : jobs) { // waits for each; ends when the channel is closed and empty
 *     run(job);
 *   }
 * } // the last receiver closes the channel: senders learn that nobody listens
 * }
 *
 * <p>Thread safe, except for an iterator, which belongs to one thread, and for the poll of the
 * {@link UncheckedSource source} that it is: one task at a time polls it, or what is made of it. A
 * handle that was closed throws {@link IllegalStateException}; futures made before stay valid.
 * Closing may be left out where nobody needs to learn that a receiver has gone. What is made of a
 * receiver by an operator closes it when it ends or is closed.
 */
public final class Receiver<T> extends Handle<T> implements UncheckedSource<T> {
  private final ChannelItems<T> items;

  Receiver(Channel<T> channel, HandleCount count) {
    super(channel, count);
    items = new ChannelItems<>(channel);
  }

  /** Another handle of the same channel. */
  public Receiver<T> copy() {
    var copy = new Receiver<T>(channel(), count);
    countCopy();
    return copy;
  }

  /** As {@link Channel#tryReceive}. */
  public @Nullable T tryReceive() {
    return channel().tryReceive();
  }

  /** As {@link Channel#receive}. */
  @CheckReturnValue
  public UncheckedFuture<T> receive() {
    return channel().receive();
  }

  /** As {@link Channel#next}. */
  @Override
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    return channel().next();
  }

  /** As {@link Channel#receiveMany}. */
  @CheckReturnValue
  public UncheckedFuture<List<T>> receiveMany(int max) {
    return channel().receiveMany(max);
  }

  /** The next message; null when there is none yet, or no more. After a close there are no more. */
  @Override
  public @Nullable T pollNext(Context cx) {
    if (isClosed() && !items.isWaiting()) {
      items.close();
      return null;
    }
    return items.pollNext(cx);
  }

  @Override
  public boolean hasEnded() {
    return items.hasEnded() || (isClosed() && !items.isWaiting());
  }

  @Override
  public void forgetNext() {
    items.forgetNext();
  }

  /** The messages; {@link Iterator#hasNext} waits for the next one on the calling thread. */
  @Override
  public Iterator<T> iterator() {
    return new ChannelItems<>(channel()).iterator(); // each loop has its own wait
  }
}
