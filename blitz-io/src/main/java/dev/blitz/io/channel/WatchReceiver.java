package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.UncheckedFuture;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One who watches a {@link Watch}, and knows what it has seen.
 *
 * {@snippet :
 * Future<Done> follow = Futures.loop(() -> config.next().map(change -> {
 *   change.ifPresent(this::apply);
 *   return change.isPresent() ? Futures.Step.MORE : Futures.Step.STOP; // empty: the watch was closed
 * }));
 * }
 *
 * <p>Belongs to one task or thread at a time. There is nothing to close.
 */
public final class WatchReceiver<T> {
  private final Watch<T> watch;
  private long seen;

  WatchReceiver(Watch<T> watch) {
    this.watch = watch;
    seen = watch.latest.generation();
  }

  /** The latest value; whether it counts as seen does not change. */
  public T borrow() {
    return watch.borrow();
  }

  /** The latest value, which counts as seen from now on. */
  public T borrowAndUpdate() {
    Watch.Latest<T> now = watch.latest;
    seen = now.generation();
    return now.value();
  }

  /** Whether the value has changed since it was last seen. */
  public boolean hasChanged() {
    return watch.latest.generation() != seen;
  }

  /**
   * Waits for a change that was not seen, and sees it. Throws {@link ChannelClosedException} when
   * there is none and the watch is closed.
   */
  @CheckReturnValue
  public UncheckedFuture<T> changed() {
    return new Changed<>(this);
  }

  /** As {@link #changed}; empty when there is no change and the watch is closed. */
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    return new Next<>(this);
  }

  /** Another receiver, which has seen the same. */
  public WatchReceiver<T> copy() {
    var copy = new WatchReceiver<>(watch);
    copy.seen = seen;
    return copy;
  }

  @Override
  public String toString() {
    return "WatchReceiver[" + (hasChanged() ? "changed, " : "unchanged, ") + watch + "]";
  }

  private abstract static class Wait<T, R> extends ChannelFuture<R> {
    final WatchReceiver<T> receiver;

    Wait(WatchReceiver<T> receiver) {
      this.receiver = receiver;
    }

    abstract R result(T value);

    abstract R closed();

    @Override
    final @Nullable R attempt() {
      Watch.Latest<T> now = receiver.watch.latest;
      if (now.generation() != receiver.seen) {
        receiver.seen = now.generation();
        return result(now.value());
      }
      return now.closed() ? closed() : null;
    }

    @Override
    final WaitQueue queue() {
      return receiver.watch.waiters;
    }

    @Override
    final boolean mustWait() {
      Watch.Latest<T> now = receiver.watch.latest;
      return now.generation() == receiver.seen && !now.closed();
    }

    @Override
    final boolean isOpen() {
      return !receiver.watch.isClosed();
    }

    @Override
    final int available() {
      return receiver.hasChanged() ? 1 : 0;
    }

    @Override
    public String toString() {
      return "a change of " + receiver.watch;
    }
  }

  private static final class Changed<T> extends Wait<T, T> {
    Changed(WatchReceiver<T> receiver) {
      super(receiver);
    }

    @Override
    T result(T value) {
      return value;
    }

    @Override
    T closed() {
      throw ChannelClosedException.receiving(receiver.watch.toString());
    }
  }

  private static final class Next<T> extends Wait<T, Optional<T>> {
    Next(WatchReceiver<T> receiver) {
      super(receiver);
    }

    @Override
    Optional<T> result(T value) {
      return Optional.of(value);
    }

    @Override
    Optional<T> closed() {
      return Optional.empty();
    }
  }
}
