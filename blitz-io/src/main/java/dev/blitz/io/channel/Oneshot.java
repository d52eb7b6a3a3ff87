package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
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
 * say that there will be no value. The sender learns of it by {@link #closed}. A value that was
 * sent before the close stays receivable.
 *
 * <p>A {@link #receive} that is dropped leaves the value for another one, as a select or a time-out
 * in a loop needs it. One that is the only one there will ever be is {@link #receiveOrClose}:
 * dropping it closes the oneshot, and the sender need not go on.
 *
 * <p>Thread safe. Of several receives the first gets the value; the others wait behind it and learn
 * that there is none for them. Sending is one compare-and-set and allocates nothing.
 *
 * @param <T> the type of the value, which is never null
 */
/* Implementation notes
 *
 *   FROM     TO       trigger           actor
 *   EMPTY    SENT     send              sender     value = the value
 *   SENT     CLOSED   received          receiver
 *   EMPTY    CLOSED   close             anyone
 *
 * All of them are a CAS of `value`, or a swap where only one thing can follow. The receive that waits is in `first`;
 * more of them, and those who wait for the end, queue in `more`, which is made when it is needed.
 *
 * Orderings
 *   field         | writer                  | reader         | mode     | pairs with
 *   value         | all, CAS or swap        | all            | volatile | first, waker, more: who changes it looks
 *                 |                         |                |          | at them after; who waits looks at it after
 *   first         | receives: CAS; null by  | sender, closer | volatile | value
 *                 | the one in it or for it |                |          |
 *   Receive.waker | its owner               | sender, closer | volatile | value
 *   more          | who needs it first, CAS | all            | volatile | its queues have a flag of their own
 */
public final class Oneshot<T> implements AutoCloseable {
  private static final Object CLOSED = new Object();
  private static final VarHandle VALUE = Fields.of(MethodHandles.lookup(), "value", Object.class);
  private static final VarHandle FIRST = Fields.of(MethodHandles.lookup(), "first", Receive.class);
  private static final VarHandle MORE = Fields.of(MethodHandles.lookup(), "more", More.class);

  /** Null, the value, or {@link #CLOSED}. */
  private volatile @Nullable Object value;

  private volatile @Nullable Receive<T> first;
  private volatile @Nullable More more;

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
    SendResult result = trySend(value);
    if (result == SendResult.CLOSED) {
      throw ChannelClosedException.sending(toString(), value);
    }
    if (result == SendResult.FULL) {
      throw new IllegalStateException("this oneshot has its value already");
    }
  }

  /** Sends the value; FULL if there is one already. */
  public SendResult trySend(T value) {
    Objects.requireNonNull(value, "value");
    if (first != null) {
      StackRoom.forCalls(); // for the wake, while nothing has been sent yet
    }
    if (!VALUE.compareAndSet(this, null, value)) {
      return this.value == CLOSED ? SendResult.CLOSED : SendResult.FULL;
    }
    Receive<T> waiting = first;
    if (waiting != null) {
      try {
        waiting.tell();
      } catch (VirtualMachineError e) { // it was sent: see Owed
        synchronized (Owed.LOCK) {
          if (!waiting.owing) {
            waiting.owing = true;
            waiting.nextOwed = Owed.first;
            Owed.first = waiting;
          }
        }
      }
    }
    return SendResult.SENT;
  }

  /** The value, or null if there is none now. It is handed out once. */
  @SuppressWarnings("unchecked") // what is not CLOSED is a value
  public @Nullable T tryReceive() {
    Object now = value;
    if (now == null || now == CLOSED) {
      return null;
    }
    now =
        VALUE.getAndSet(this, CLOSED); // a value stays until it is taken, so this is it, or CLOSED
    if (now == CLOSED) {
      return null; // another was faster
    }
    More others = more;
    if (others != null) {
      try {
        others.pay();
      } catch (VirtualMachineError e) { // it was received: see Owed
        synchronized (Owed.LOCK) {
          if (!others.owing) {
            others.owing = true;
            others.nextOwed = Owed.first;
            Owed.first = others;
          }
        }
      }
    }
    return (T) now;
  }

  /**
   * Waits for the value. Throws {@link ChannelClosedException} when it was closed without one, or
   * the value was received before. Dropped, it leaves the value for another receive.
   */
  @CheckReturnValue
  public UncheckedFuture<T> receive() {
    return new Receive<>(this, false);
  }

  /**
   * As {@link #receive}, for the only one who will: dropped before it has the value, it closes the
   * oneshot. A value that was sent by then stays.
   */
  @CheckReturnValue
  public UncheckedFuture<T> receiveOrClose() {
    return new Receive<>(this, true);
  }

  /**
   * Waits for the end: closed, or the value received. A sender that works on the value stops when
   * nobody wants it.
   *
   * {@snippet :
   * switch (Select.first(compute(), reply.closed()).await()) {
   *   case First(var value) -> reply.trySend(value);
   *   case Second(var done) -> log("nobody waits for it any more");
   * }
   * }
   */
  @CheckReturnValue
  public UncheckedFuture<Done> closed() {
    return new Waits(this, true);
  }

  /** Ends it without a value; a value that is there stays. Harmless if repeated. */
  @Override
  public void close() {
    StackRoom.forCalls();
    if (!VALUE.compareAndSet(this, null, CLOSED)) {
      return;
    }
    Receive<T> waiting = first;
    More others = more;
    try {
      if (waiting != null) {
        waiting.tell();
      }
      if (others != null) {
        others.pay();
      }
    } catch (VirtualMachineError e) { // it was closed: see Owed
      synchronized (Owed.LOCK) {
        if (waiting != null && !waiting.owing) {
          waiting.owing = true;
          waiting.nextOwed = Owed.first;
          Owed.first = waiting;
        }
        if (others != null && !others.owing) {
          others.owing = true;
          others.nextOwed = Owed.first;
          Owed.first = others;
        }
      }
    }
  }

  /** Whether it has ended: closed, or its value received. */
  public boolean isClosed() {
    return value == CLOSED;
  }

  private More more() {
    More there = more;
    if (there != null) {
      return there;
    }
    var made = new More();
    var before = (More) MORE.compareAndExchange(this, null, made);
    return before == null ? made : before;
  }

  @Override
  public String toString() {
    Object now = value;
    String name =
        now == CLOSED ? "closed" : now != null ? "sent" : first != null ? "waited for" : "empty";
    return "Oneshot[" + name + "]";
  }

  /** Those who wait beside the first receive. */
  private static final class More extends Owed {
    /** Receives, for the place of the first. */
    final WaitQueue receives = new WaitQueue(true);

    /** For the end. */
    final WaitQueue ends = new WaitQueue(false);

    @Override
    void pay() {
      receives.wakeAll();
      ends.wakeAll();
    }
  }

  /** Waits for the end, or for the place of the first receive. */
  private static final class Waits extends ChannelFuture<Done> {
    private final Oneshot<?> oneshot;
    private final boolean forEnd;

    Waits(Oneshot<?> oneshot, boolean forEnd) {
      this.oneshot = oneshot;
      this.forEnd = forEnd;
    }

    @Override
    @Nullable Done attempt() {
      return mustWait() ? null : Done.DONE;
    }

    @Override
    WaitQueue queue() {
      More more = oneshot.more();
      return forEnd ? more.ends : more.receives;
    }

    @Override
    boolean mustWait() {
      return !oneshot.isClosed() && (forEnd || oneshot.first != null);
    }

    @Override
    boolean isOpen() {
      return !oneshot.isClosed();
    }

    @Override
    int available() {
      return mustWait() ? 0 : 1;
    }

    @Override
    public String toString() {
      return "the end of " + oneshot;
    }
  }

  private static final class Receive<T> extends Owed implements UncheckedFuture<T> {
    private final Oneshot<T> oneshot;
    private final boolean closing;
    private volatile @Nullable Waker waker;

    /** Its place behind another, if it has one. */
    private @Nullable Waits behind;

    private boolean ended;

    Receive(Oneshot<T> oneshot, boolean closing) {
      this.oneshot = oneshot;
      this.closing = closing;
    }

    @Override
    public @Nullable T poll(Context cx) {
      try {
        return look(cx);
      } catch (Throwable t) {
        ended = true; // nobody drops what has thrown
        try {
          leave();
        } catch (VirtualMachineError e) {
          synchronized (LOCK) {
            if (!owing) {
              owing = true;
              nextOwed = Owed.first;
              Owed.first = this;
            }
          }
        }
        throw t;
      }
    }

    private @Nullable T look(Context cx) {
      boolean charged = behind == null;
      if (charged && !cx.proceed()) {
        return null;
      }
      T value = attempt(cx);
      if (value == null && charged) {
        cx.refund();
      }
      return value;
    }

    private @Nullable T attempt(Context cx) {
      for (; ; ) {
        Receive<T> before = oneshot.first;
        if (before != null && before != this && !oneshot.isClosed()) {
          if (behind == null) {
            behind = new Waits(oneshot, false);
          }
          if (behind.poll(cx) == null) {
            return null;
          }
          behind = null;
          continue;
        }
        T value = oneshot.tryReceive();
        if (value != null) {
          if (before == this) {
            oneshot.first = null;
          }
          ended = true;
          return value;
        }
        if (oneshot.isClosed()) {
          throw ChannelClosedException.receiving(oneshot.toString());
        }
        if (before == this && waker == cx.waker()) {
          return null;
        }
        waker = cx.waker();
        if ((before == this || FIRST.compareAndSet(oneshot, null, this)) && oneshot.value == null) {
          return null;
        }
      }
    }

    /** There is something to look at. */
    void tell() {
      Waker now = waker;
      if (now != null) {
        WaitQueue.wake(now);
      }
    }

    @Override
    void pay() {
      if (ended) {
        leave();
      } else {
        tell();
      }
    }

    @Override
    public void drop() {
      ended = true;
      try {
        leave();
      } catch (VirtualMachineError e) {
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }

    /**
     * Leaves its place to the next. May be repeated, also by one who pays for it: there it is in
     * `first` and behind nobody, or its owner has given up.
     */
    private void leave() {
      if (closing) {
        oneshot.close(); // if it has its value, that is so already
      }
      Waits place = behind;
      if (place != null) {
        place.drop();
        behind = null;
      }
      if (oneshot.first == this && FIRST.compareAndSet(oneshot, this, null)) {
        More others = oneshot.more;
        if (others != null) {
          try {
            others.receives.wakeOne();
          } catch (VirtualMachineError e) { // it has left: see Owed
            synchronized (LOCK) {
              if (!others.owing) {
                others.owing = true;
                others.nextOwed = Owed.first;
                Owed.first = others;
              }
            }
          }
        }
      }
    }

    @Override
    public String toString() {
      return "the value of " + oneshot;
    }
  }
}
