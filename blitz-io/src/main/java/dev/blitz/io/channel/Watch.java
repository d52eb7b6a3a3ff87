package dev.blitz.io.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A value that changes, and those who watch it. Only the latest value is kept: who looks seldom
 * sees one change in place of many, but always the last.
 *
 * {@snippet :
 * Watch<Config> config = Watch.of(Config.load());
 * WatchReceiver<Config> own = config.subscribe();
 * Future<Config> changed = own.changed();
 * config.send(Config.load());
 * }
 *
 * <p>Thread safe. Sending is a compare-and-set of one small object; looking is one read and
 * allocates nothing.
 *
 * @param <T> the type of the value, which is never null
 */
/* Implementation notes
 *
 * The value and its generation are one immutable object, so nobody sees one without the other. send: CAS of
 * `latest`, then a look at waiters; a waiter sets waiting, then looks at `latest`: one sees the other.
 */
public final class Watch<T> {
  private static final VarHandle LATEST;

  static {
    try {
      LATEST = MethodHandles.lookup().findVarHandle(Watch.class, "latest", Latest.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Closing makes a new one with the same generation: it is no change. */
  record Latest<T>(T value, long generation, boolean closed) {}

  final WaitQueue waiters = new WaitQueue(false);
  volatile Latest<T> latest;

  private Watch(T value) {
    latest = new Latest<>(value, 0, false);
  }

  /** A watch with a first value, which counts as seen. */
  public static <T> Watch<T> of(T value) {
    return new Watch<>(Objects.requireNonNull(value, "value"));
  }

  /** One who watches, and has seen the present value. */
  public WatchReceiver<T> subscribe() {
    return new WatchReceiver<>(this);
  }

  /** The latest value. */
  public T borrow() {
    return latest.value();
  }

  /**
   * Replaces the value and wakes all who wait for a change.
   *
   * @throws ChannelClosedException if it was closed
   */
  public void send(T value) {
    Objects.requireNonNull(value, "value");
    for (; ; ) {
      Latest<T> now = latest;
      if (replace(now, value)) {
        return;
      }
    }
  }

  /**
   * Replaces the value by what {@code change} makes of it; the function may be called again if
   * another change comes in between.
   *
   * @return the new value
   * @throws ChannelClosedException if it was closed
   */
  public T update(UnaryOperator<T> change) {
    for (; ; ) {
      Latest<T> now = latest;
      T value = Objects.requireNonNull(change.apply(now.value()), "the changed value");
      if (replace(now, value)) {
        return value;
      }
    }
  }

  private boolean replace(Latest<T> now, T value) {
    if (now.closed()) {
      throw ChannelClosedException.sending(toString(), value);
    }
    if (!LATEST.compareAndSet(this, now, new Latest<>(value, now.generation() + 1, false))) {
      return false;
    }
    if (waiters.hasWaiters()) {
      waiters.wakeAll();
    }
    return true;
  }

  /**
   * Ends the sending. The last value stays, and a change that was not seen is still reported.
   *
   * @return whether this call was the one that did
   */
  public boolean close() {
    for (; ; ) {
      Latest<T> now = latest;
      if (now.closed()) {
        return false;
      }
      if (LATEST.compareAndSet(this, now, new Latest<>(now.value(), now.generation(), true))) {
        waiters.wakeAll();
        return true;
      }
    }
  }

  /** Whether sending has ended. */
  public boolean isClosed() {
    return latest.closed();
  }

  @Override
  public String toString() {
    Latest<T> now = latest;
    return "Watch[generation " + now.generation() + (now.closed() ? ", closed]" : ", open]");
  }
}
