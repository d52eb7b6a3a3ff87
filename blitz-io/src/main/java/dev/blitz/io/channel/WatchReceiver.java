package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.stream.UncheckedSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
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
 * <p>Belongs to one task or thread at a time. Close it where a sender cares whether anybody watches
 * ({@link Watch#unwatched}); otherwise it may be left to the garbage collector.
 *
 * <p>It is a source of the changes: of those between two polls only the last is an item.
 */
public final class WatchReceiver<T> implements UncheckedSource<T> {
  private final Watch<T> watch;
  private long seen;
  private boolean closed;
  private final SourceWait<T> wait = new SourceWait<>();

  WatchReceiver(Watch<T> watch) {
    this.watch = watch;
    seen = watch.latest.changes();
  }

  /** The latest value; whether it counts as seen does not change. */
  public T borrow() {
    return watch.borrow();
  }

  /** The latest value, which counts as seen from now on. */
  public T borrowAndUpdate() {
    Watch.Latest<T> now = watch.latest;
    seen = now.changes();
    return now.value();
  }

  /** Whether the value has changed since it was last seen. */
  public boolean hasChanged() {
    return watch.latest.changes() != seen;
  }

  /**
   * Waits for a change that was not seen, and sees it. Throws {@link ChannelClosedException} when
   * there is none and the watch is closed.
   */
  @CheckReturnValue
  public UncheckedFuture<T> changed() {
    checkOpen();
    return new Changed<T, T>(this, false);
  }

  /** As {@link #changed}; empty when there is no change and the watch is closed. */
  @Override
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    checkOpen();
    return new Changed<T, Optional<T>>(this, true);
  }

  /**
   * Waits until the value is as asked for, and sees it; at once if it is so now, seen or not.
   * Throws {@link ChannelClosedException} when the watch is closed with a value that is not.
   *
   * {@snippet :
   * Future<State> ready = states.waitFor(state -> state == State.READY);
   * }
   *
   * @param wanted is asked once for each value that comes to be looked at, by whoever polls
   */
  @CheckReturnValue
  public UncheckedFuture<T> waitFor(Predicate<? super T> wanted) {
    checkOpen();
    return new WaitFor<>(this, Objects.requireNonNull(wanted, "wanted"));
  }

  /** The next change; null when there is none yet, or no more. */
  @Override
  public @Nullable T pollNext(Context cx) {
    if (wait.hasBegun()) {
      return wait.poll(cx);
    }
    if (closed) {
      wait.end();
      return null;
    }
    if (!cx.proceed()) {
      return null;
    }
    if (hasChanged()) {
      return borrowAndUpdate();
    }
    cx.refund();
    return wait.begin(new Changed<T, T>(this, false), cx);
  }

  @Override
  public boolean hasEnded() {
    return wait.hasEnded();
  }

  @Override
  public void forgetNext() {
    wait.forget();
  }

  /** Another receiver, which has seen the same. */
  public WatchReceiver<T> copy() {
    checkOpen();
    var copy = watch.subscribe();
    copy.seen = seen;
    return copy;
  }

  /** Ends the watching. Harmless if repeated. */
  @Override
  public void close() {
    if (!closed) {
      watch.unsubscribed();
      closed = true;
      wait.end();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("this receiver was closed: " + this);
    }
  }

  @Override
  public String toString() {
    return "WatchReceiver[" + (hasChanged() ? "changed, " : "unchanged, ") + watch + "]";
  }

  private static final class Changed<T, R> extends Receipt<T, R> {
    private final WatchReceiver<T> receiver;

    Changed(WatchReceiver<T> receiver, boolean optional) {
      super(optional);
      this.receiver = receiver;
    }

    @Override
    @Nullable R attempt() {
      Watch.Latest<T> now = receiver.watch.latest;
      long changes = now.changes();
      if (changes != receiver.seen) {
        R result = result(now.value()); // before it counts as seen: this may fail
        receiver.seen = changes;
        return result;
      }
      return now.closed() ? end(receiver.watch) : null;
    }

    @Override
    WaitQueue queue() {
      return receiver.watch.waiters;
    }

    @Override
    boolean mustWait() {
      Watch.Latest<T> now = receiver.watch.latest;
      return now.changes() == receiver.seen && !now.closed();
    }

    @Override
    boolean isOpen() {
      return !receiver.watch.isClosed();
    }

    @Override
    int available() {
      return receiver.hasChanged() ? 1 : 0;
    }

    @Override
    public String toString() {
      return "a change of " + receiver.watch;
    }
  }

  /** {@link #waitFor}. */
  private static final class WaitFor<T> extends ChannelFuture<T> {
    private final WatchReceiver<T> receiver;
    private final Predicate<? super T> wanted;

    /** The change of the last value that was asked about; none yet. */
    private long asked = -1;

    WaitFor(WatchReceiver<T> receiver, Predicate<? super T> wanted) {
      this.receiver = receiver;
      this.wanted = wanted;
    }

    @Override
    @Nullable T attempt() {
      Watch.Latest<T> now = receiver.watch.latest;
      if (now.changes() != asked) {
        T value = now.value();
        if (wanted.test(value)) {
          receiver.seen = now.changes();
          return value;
        }
        asked = now.changes();
      }
      if (now.closed()) {
        throw ChannelClosedException.receiving(receiver.watch.toString());
      }
      return null;
    }

    @Override
    WaitQueue queue() {
      return receiver.watch.waiters;
    }

    @Override
    boolean mustWait() {
      Watch.Latest<T> now = receiver.watch.latest;
      return now.changes() == asked && !now.closed();
    }

    @Override
    boolean isOpen() {
      return !receiver.watch.isClosed();
    }

    @Override
    int available() {
      return mustWait() ? 0 : 1;
    }

    @Override
    public String toString() {
      return "a wanted value of " + receiver.watch;
    }
  }

  /** {@link Watch#unwatched}. */
  static final class Unwatched extends ChannelFuture<Done> {
    private final Watch<?> watch;

    Unwatched(Watch<?> watch) {
      this.watch = watch;
    }

    @Override
    @Nullable Done attempt() {
      return mustWait() ? null : Done.DONE;
    }

    @Override
    WaitQueue queue() {
      return watch.unwatched;
    }

    @Override
    boolean mustWait() {
      return watch.receivers() > 0;
    }

    @Override
    boolean isOpen() {
      return true;
    }

    @Override
    int available() {
      return mustWait() ? 0 : 1;
    }

    @Override
    public String toString() {
      return "the last receiver of " + watch + " to go";
    }
  }
}
