package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
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
 * The value and the number of its change are one immutable object, so nobody sees one without the other. send: CAS of
 * `latest`, then a look at waiters; a waiter sets waiting, then looks at `latest`: one sees the other. The same for
 * `receivers` and `unwatched`.
 */
public final class Watch<T> extends Owed implements AutoCloseable {
  private static final VarHandle LATEST = Fields.of(MethodHandles.lookup(), "latest", Latest.class);
  private static final VarHandle RECEIVERS =
      Fields.of(MethodHandles.lookup(), "receivers", int.class);

  /**
   * A value and how many there were before it.
   *
   * @param version twice the number of changes, plus 1 when closed: closing is no change
   */
  record Latest<T>(T value, long version) {
    long changes() {
      return version >>> 1;
    }

    boolean closed() {
      return (version & 1) != 0;
    }

    Latest<T> changed(T value) {
      return new Latest<>(value, version + 2);
    }

    Latest<T> end() {
      return new Latest<>(value, version | 1);
    }
  }

  final WaitQueue waiters = new WaitQueue(false);
  final WaitQueue unwatched = new WaitQueue(false);
  volatile Latest<T> latest;
  private volatile int receivers;

  private Watch(T value) {
    latest = new Latest<>(value, 0);
  }

  /** A watch with a first value, which counts as seen. */
  public static <T> Watch<T> of(T value) {
    return new Watch<>(Objects.requireNonNull(value, "value"));
  }

  /** One who watches, and has seen the present value. */
  public WatchReceiver<T> subscribe() {
    var receiver = new WatchReceiver<>(this);
    subscribed();
    return receiver;
  }

  void subscribed() {
    RECEIVERS.getAndAdd(this, 1);
  }

  void unsubscribed() {
    StackRoom.forCalls();
    if ((int) RECEIVERS.getAndAdd(this, -1) == 1 && unwatched.waiting) {
      try {
        unwatched.wakeAll();
      } catch (VirtualMachineError e) { // nobody is left: see Owed
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
  }

  /** How many receivers have subscribed and were not closed. */
  public int receivers() {
    return receivers;
  }

  /**
   * Waits until nobody watches: all receivers have been closed. At once if there are none now.
   *
   * {@snippet :
   * Future<?> sending = Select.first(measurements(watch), watch.unwatched()); // no longer than somebody looks
   * }
   */
  @CheckReturnValue
  public UncheckedFuture<Done> unwatched() {
    return new WatchReceiver.Unwatched(this);
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

  /**
   * Replaces the value by what {@code change} makes of it, unless that is equal to what it was:
   * then nobody is woken, and there was no change. The function may be called again if another
   * change comes in between.
   *
   * @return whether there was a change
   * @throws ChannelClosedException if it was closed
   */
  public boolean sendIfModified(UnaryOperator<T> change) {
    for (; ; ) {
      Latest<T> now = latest;
      T value = Objects.requireNonNull(change.apply(now.value()), "the changed value");
      boolean modified = value != now.value() && !value.equals(now.value());
      if (!modified && !now.closed()) {
        return false;
      }
      if (replace(now, value)) {
        return true;
      }
    }
  }

  private boolean replace(Latest<T> now, T value) {
    if (now.closed()) {
      throw ChannelClosedException.sending(toString(), value);
    }
    if (waiters.waiting) {
      StackRoom.forCalls(); // for the wakes, while nothing has been sent yet
    }
    if (!LATEST.compareAndSet(this, now, now.changed(value))) {
      return false;
    }
    if (waiters.waiting) {
      try {
        waiters.wakeAll();
      } catch (VirtualMachineError e) { // it was sent: see Owed
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
    return true;
  }

  @Override
  void pay() {
    waiters.wakeAll();
    if (receivers == 0) {
      unwatched.wakeAll();
    }
  }

  /** Ends the sending. The last value stays, and a change that was not seen is still reported. */
  @Override
  public void close() {
    StackRoom.forCalls();
    for (; ; ) {
      Latest<T> now = latest;
      if (now.closed() || LATEST.compareAndSet(this, now, now.end())) {
        waiters.wakeAll(); // also if repeated: the first time there may have been no stack for it
        return;
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
    return "Watch[change " + now.changes() + (now.closed() ? ", closed]" : ", open]");
  }
}
