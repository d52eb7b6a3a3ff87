package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.UncheckedFuture;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
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
 * <p>Thread safe, except for an iterator, which belongs to one thread. A handle that was closed
 * throws {@link IllegalStateException}; futures made before stay valid. Closing may be left out
 * where nobody needs to learn that a receiver has gone.
 */
public final class Receiver<T> extends Handle<T> implements Iterable<T> {
  Receiver(Channel<T> channel, HandleCount count) {
    super(channel, count);
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
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    return channel().next();
  }

  /** As {@link Channel#receiveMany}. */
  @CheckReturnValue
  public UncheckedFuture<List<T>> receiveMany(int max) {
    return channel().receiveMany(max);
  }

  /** The messages; {@link Iterator#hasNext} waits for the next one on the calling thread. */
  @Override
  public Iterator<T> iterator() {
    Channel<T> channel = channel();
    return new Iterator<>() {
      private @Nullable T message;

      @Override
      public boolean hasNext() {
        if (message == null) {
          // Always by await: a loop over a busy channel must see a cancellation and let others run.
          message = channel.next().await().orElse(null);
        }
        return message != null;
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the channel is closed and empty");
        }
        T taken = message;
        message = null;
        return Objects.requireNonNull(taken);
      }
    };
  }
}
