package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.SafeCalls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries one value from a sender to a receiver: the answer to a request.
 *
 * {@snippet :
 * Oneshot<Integer> reply = Oneshot.create();
 * requests.trySend(new Request(21, reply));
 * Future<Integer> answer = reply.receive();
 * }
 *
 * <p>Either side may {@link #close} it: the receiver to say that it no longer cares, the sender to
 * say that there will be no value. A value that was sent before the close stays receivable. A
 * receive that is dropped leaves the value for another one.
 *
 * <p>Thread safe. One receive waits at a time; a second one fails. Sending is one compare-and-set
 * and allocates nothing.
 *
 * @param <T> the type of the value, which is never null
 */
/* Implementation notes
 *
 * Four states in one reference:
 *
 *   FROM     TO       trigger           actor
 *   EMPTY    WAITING  receive polls     receiver   state = its Waiting, which nobody else can see
 *   WAITING  WAITING  another waker     receiver
 *   WAITING  EMPTY    receive dropped   receiver
 *   EMPTY    SENT     send              sender     state = the value
 *   WAITING  SENT     send, then wake   sender
 *   SENT     CLOSED   received          receiver
 *   EMPTY    CLOSED   close             anyone
 *   WAITING  CLOSED   close, then wake  anyone
 *
 * All transitions are CAS. Who replaces a Waiting wakes it; the receiver then reads the value from the state.
 */
public final class Oneshot<T> {
  private static final Object CLOSED = new Object();
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Oneshot.class, "state", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Who waits. Made here and never handed out, so it cannot be mistaken for a value. */
  private record Waiting(Receive<?> receive, Waker waker) {}

  private volatile @Nullable Object state;

  private Oneshot() {}

  /** An empty one. */
  public static <T> Oneshot<T> create() {
    return new Oneshot<>();
  }

  /**
   * Sends the value.
   *
   * @throws ChannelClosedException if it was closed, or the value received
   * @throws IllegalStateException if it has a value already
   */
  public void send(T value) {
    switch (trySend(value)) {
      case SENT -> {}
      case FULL -> throw new IllegalStateException("this oneshot has its value already");
      case CLOSED -> throw ChannelClosedException.sending(toString(), value);
    }
  }

  /** Sends the value; FULL if there is one already. */
  public SendResult trySend(T value) {
    Objects.requireNonNull(value, "value");
    for (; ; ) {
      Object now = state;
      if (now == CLOSED) {
        return SendResult.CLOSED;
      }
      if (now != null && !(now instanceof Waiting)) {
        return SendResult.FULL;
      }
      if (STATE.compareAndSet(this, now, value)) {
        wake(now);
        return SendResult.SENT;
      }
    }
  }

  /** The value, or null if there is none now. It is handed out once. */
  @SuppressWarnings("unchecked") // what is neither CLOSED nor a Waiting is a value
  public @Nullable T tryReceive() {
    Object now = state;
    return now != null
            && now != CLOSED
            && !(now instanceof Waiting)
            && STATE.compareAndSet(this, now, CLOSED)
        ? (T) now
        : null;
  }

  /**
   * Waits for the value. Throws {@link ChannelClosedException} when it was closed without one, or
   * the value was received before.
   */
  @CheckReturnValue
  public UncheckedFuture<T> receive() {
    return new Receive<>(this);
  }

  /**
   * Ends it without a value; a value that is there stays.
   *
   * @return whether this call was the one that did
   */
  public boolean close() {
    for (; ; ) {
      Object now = state;
      if (now == CLOSED || (now != null && !(now instanceof Waiting))) {
        return false;
      }
      if (STATE.compareAndSet(this, now, CLOSED)) {
        wake(now);
        return true;
      }
    }
  }

  /** Whether it has ended: closed, or its value received. */
  public boolean isClosed() {
    return state == CLOSED;
  }

  private static void wake(@Nullable Object before) {
    if (before instanceof Waiting(var receive, var waker)) {
      SafeCalls.wake(waker);
    }
  }

  @Override
  public String toString() {
    Object now = state;
    String name =
        now == null
            ? "empty"
            : now == CLOSED ? "closed" : now instanceof Waiting ? "waited for" : "sent";
    return "Oneshot[" + name + "]";
  }

  private static final class Receive<T> implements UncheckedFuture<T> {
    private final Oneshot<T> oneshot;

    /** What it has put into the state, if anything. */
    private @Nullable Waiting waiting;

    Receive(Oneshot<T> oneshot) {
      this.oneshot = oneshot;
    }

    @Override
    public @Nullable T poll(Context cx) {
      if (!cx.proceed()) {
        return null;
      }
      for (; ; ) {
        T value = oneshot.tryReceive();
        if (value != null) {
          return value;
        }
        Object now = oneshot.state;
        if (now == CLOSED) {
          throw ChannelClosedException.receiving(oneshot.toString());
        }
        if (now instanceof Waiting(var receive, var waker)) {
          if (receive != this) {
            throw new IllegalStateException("another receive waits for this oneshot already");
          }
          if (waker == cx.waker()) {
            cx.refund();
            return null;
          }
        } else if (now != null) {
          continue; // sent meanwhile
        }
        var next = new Waiting(this, cx.waker());
        if (STATE.compareAndSet(oneshot, now, next)) {
          waiting = next;
          cx.refund();
          return null;
        }
      }
    }

    @Override
    public void drop() {
      if (waiting != null) {
        STATE.compareAndSet(oneshot, waiting, null); // else the value stays for another receive
      }
    }

    @Override
    public String toString() {
      return "the value of " + oneshot;
    }
  }
}
