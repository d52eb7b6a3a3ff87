package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.stream.UncheckedSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to a {@link Broadcast}, with a position of its own.
 *
 * {@snippet :
 * Future<Done> printing = Futures.loop(() -> events.next().map(event -> {
 *   event.ifPresent(IO::println);
 *   return event.isPresent() ? Futures.Step.MORE : Futures.Step.STOP;
 * }));
 * }
 *
 * <p>Belongs to one task or thread at a time. A receive that is dropped leaves the position where
 * it was.
 *
 * <p>It is a source of the messages. One that has missed some fails with {@link LaggedException},
 * and with it what was made of it, unless it {@linkplain #skippingMissed skips} them.
 */
public final class BroadcastReceiver<T> implements UncheckedSource<T> {
  private final Broadcast<T> broadcast;

  /** Of the next message; the broadcast sets it. */
  long position;

  /** The position that the broadcast knows of. Written by the owner, under the broadcast's lock. */
  long told;

  private long missed;
  private boolean closed;
  private boolean skips;
  private final SourceWait<T> wait = new SourceWait<>();

  BroadcastReceiver(Broadcast<T> broadcast) {
    this.broadcast = broadcast;
  }

  /**
   * The next message, or null if there is none now.
   *
   * @throws LaggedException if messages were missed; the next call yields the oldest that is left
   */
  public @Nullable T tryReceive() {
    checkOpen();
    T message = peek();
    if (message != null) {
      advance();
    }
    return message;
  }

  /** As {@link #tryReceive}, but the message is still the next one. */
  @SuppressWarnings("unchecked") // slots hold messages only
  private @Nullable T peek() {
    for (int spins = 0; ; spins++) {
      long p = position;
      if (p == broadcast.tail()) {
        if (told != p) {
          tell();
        }
        return null;
      }
      Object message = broadcast.slot(p);
      long tail = broadcast.tail(); // after the slot: if it is still kept now, it was read whole
      long lost = tail - broadcast.capacity() - p;
      if (lost > 0) {
        var lagged = new LaggedException(lost);
        position = p + lost;
        missed += lost;
        throw lagged;
      }
      if (message != null) {
        return (T) message;
      }
      Spin.once(spins); // it was overwritten just now: tail will tell
    }
  }

  /** Takes what was peeked. If this throws, it has not. */
  private void advance() {
    long p = position + 1;
    position = p;
    if ((p & (Broadcast.TELL_EVERY - 1)) == 0) {
      try {
        tell();
      } catch (VirtualMachineError e) {
        return; // it was taken; the next time will do
      }
    }
  }

  /** Those before the position are not needed here any more. */
  private void tell() {
    broadcast.tell(this, false);
  }

  /**
   * The next message. Throws {@link LaggedException} if messages were missed, and {@link
   * ChannelClosedException} when the broadcast is closed and everything has been received.
   */
  @CheckReturnValue
  public UncheckedFuture<T> receive() {
    checkOpen();
    return new Receive<T, T>(this, false);
  }

  /** The next message; empty when the broadcast is closed and everything has been received. */
  @Override
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    checkOpen();
    return new Receive<T, Optional<T>>(this, true);
  }

  /**
   * From now on, as a source, it goes on with the oldest message that is left when it has missed
   * some; {@link #missed} tells how many.
   */
  public BroadcastReceiver<T> skippingMissed() {
    skips = true;
    return this;
  }

  /**
   * The next message; null when there is none yet, or no more.
   *
   * @throws LaggedException if messages were missed and are not skipped; the next poll goes on
   */
  @Override
  public @Nullable T pollNext(Context cx) {
    for (; ; ) {
      try {
        return wait.hasBegun() ? wait.poll(cx) : pollNow(cx);
      } catch (LaggedException e) {
        if (!skips) {
          throw e;
        }
      }
    }
  }

  private @Nullable T pollNow(Context cx) {
    if (closed) {
      wait.end();
      return null;
    }
    if (!cx.proceed()) {
      return null;
    }
    T message = tryReceive();
    if (message == null) {
      cx.refund();
      return wait.begin(new Receive<T, T>(this, false), cx);
    }
    return message;
  }

  @Override
  public boolean hasEnded() {
    return wait.hasEnded();
  }

  @Override
  public void forgetNext() {
    wait.forget();
  }

  /** How many messages this receiver has missed in all. */
  public long missed() {
    return missed;
  }

  /** Another receiver, at the same position. */
  public BroadcastReceiver<T> copy() {
    checkOpen();
    return broadcast.copy(this);
  }

  /** Ends the subscription. Harmless if repeated. */
  @Override
  public void close() {
    if (!closed) {
      broadcast.tell(this, true);
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
    return "BroadcastReceiver["
        + (broadcast.tail() - position)
        + " behind"
        + (closed ? ", closed, " : ", ")
        + broadcast
        + "]";
  }

  private static final class Receive<T, R> extends Receipt<T, R> {
    private final BroadcastReceiver<T> receiver;

    Receive(BroadcastReceiver<T> receiver, boolean optional) {
      super(optional);
      this.receiver = receiver;
    }

    @Override
    @Nullable R attempt() {
      boolean last = receiver.broadcast.isClosed(); // before the look: then it is the last word
      receiver.checkOpen();
      T message = receiver.peek();
      if (message != null) {
        R result = result(message); // before it is taken: this may fail
        receiver.advance();
        return result;
      }
      return last ? end(receiver.broadcast) : null;
    }

    @Override
    WaitQueue queue() {
      return receiver.broadcast.waiters;
    }

    @Override
    boolean mustWait() {
      return isOpen() && available() == 0;
    }

    @Override
    boolean isOpen() {
      return !receiver.broadcast.isClosed();
    }

    @Override
    int available() {
      return receiver.position == receiver.broadcast.tail() ? 0 : 1;
    }

    @Override
    public String toString() {
      return "a message from " + receiver.broadcast;
    }
  }
}
