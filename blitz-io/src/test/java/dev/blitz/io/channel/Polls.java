package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A future with a waker of its own, polled by hand. */
final class Polls<T> implements Waker {
  private final UncheckedFuture<T> future;
  private int wakes;

  private Polls(UncheckedFuture<T> future) {
    this.future = future;
  }

  static <T> Polls<T> of(UncheckedFuture<T> future) {
    return new Polls<>(future);
  }

  /** Takes out everything that is in a channel. */
  static <T> int takeAll(Channel<T> channel, List<T> into) {
    List<T> messages = channel.tryReceiveMany(Integer.MAX_VALUE);
    into.addAll(messages);
    return messages.size();
  }

  @Nullable T poll() {
    return future.poll(Context.of(this));
  }

  void drop() {
    future.drop();
  }

  /** How often it was woken. */
  int wakes() {
    return wakes;
  }

  @Override
  public void wake() {
    wakes++;
  }
}
