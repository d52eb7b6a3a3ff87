package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.stream.Source;
import dev.blitz.io.stream.UncheckedSource;
import org.jspecify.annotations.Nullable;

/**
 * A counted right to send: the channel closes with the last one. Give each task its own.
 *
 * {@snippet :
 * try (Sender<Job> first = jobs.sender()) {
 *   for (int i = 0; i < 8; i++) {
 *     Sender<Job> own = first.copy();
 *     spawn(produce(own).whenDone(own::close));
 *   }
 * } // the channel closes when the last producer has ended
 * }
 *
 * <p>Thread safe. A handle that was closed throws {@link IllegalStateException}; futures made
 * before stay valid.
 */
public final class Sender<T> extends Handle<T> {
  Sender(Channel<T> channel, HandleCount count) {
    super(channel, count);
  }

  /** Another handle of the same channel. */
  public Sender<T> copy() {
    var copy = new Sender<T>(channel(), count);
    countCopy();
    return copy;
  }

  /** As {@link Channel#trySend}. */
  public SendResult trySend(T value) {
    return channel().trySend(value);
  }

  /** As {@link Channel#send}. */
  @CheckReturnValue
  public UncheckedFuture<Done> send(T value) {
    return channel().send(value);
  }

  /** As {@link Channel#sendAll(Source)}. */
  @CheckReturnValue
  public Future<Done> sendAll(Source<? extends T> source) {
    return channel().sendAll(source);
  }

  /** As {@link #sendAll(Source)}. */
  @CheckReturnValue
  public IoFuture<Done> sendAll(IoSource<? extends T> source) {
    return channel().sendAll(source);
  }

  /** As {@link #sendAll(Source)}. */
  @CheckReturnValue
  public UncheckedFuture<Done> sendAll(UncheckedSource<? extends T> source) {
    return channel().sendAll(source);
  }

  /** As {@link Channel#tryReserve}. */
  public @Nullable Permit<T> tryReserve() {
    return channel().tryReserve();
  }

  /** As {@link Channel#reserve}. */
  @CheckReturnValue
  public UncheckedFuture<Permit<T>> reserve() {
    return channel().reserve();
  }
}
