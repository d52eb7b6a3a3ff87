package dev.blitz.io.signal;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.WaitFuture;
import dev.blitz.io.internal.wait.Waiter;
import dev.blitz.io.stream.UncheckedSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The signals that this process was sent since {@link Signals#listen}, as events.
 *
 * <p>Events coalesce: a signal that nobody has taken yet and that comes again is one event. So a
 * storm costs nothing, and who has taken an event knows that nothing was sent since without another
 * event to come. If there are events of several signals, the smaller number is first.
 *
 * <p>Thread safe; any number may wait, each event goes to one of them, in the order they came. A
 * wait may be dropped at any time: an event that it had been given goes to the next. For all to see
 * every signal, give each a listener of its own.
 */
/* Implementation notes
 *
 * `waiting` is the lock of everything here. Invariant, while it is free: if somebody waits, nothing is pending.
 *   deliver   hands the signal to the oldest waiter (its outcome), or notes it as pending
 *   leave     a waiter that had been handed a signal and is dropped delivers it again
 *   close     settles all with CLOSED; later deliveries find `closed`
 * An outcome is the signal's place among those that are listened to.
 */
public final class SignalListener implements AutoCloseable {
  private final SignalRegistry registry;
  private final List<Signal> signals;
  private final LinkList waiting = new LinkList();
  private final EnumSet<Signal> pending = EnumSet.noneOf(Signal.class);
  private boolean closed;

  SignalListener(SignalRegistry registry, Set<Signal> signals) {
    this.registry = registry;
    this.signals = List.copyOf(signals);
  }

  List<Signal> signals() {
    return signals;
  }

  private byte outcomeOf(Signal signal) {
    return (byte) (Next.CLOSED + 1 + signals.indexOf(signal));
  }

  private Signal signalOf(byte outcome) {
    return signals.get(outcome - Next.CLOSED - 1);
  }

  /**
   * The next event, or one that has come and nobody has taken.
   *
   * @throws CancelledException in the future, if the listener is closed
   */
  @CheckReturnValue
  public UncheckedFuture<Signal> next() {
    return new Next<>(this, this::openOrThrow);
  }

  private Signal openOrThrow(@Nullable Signal signal) {
    if (signal == null) {
      throw new CancelledException(this + " was closed");
    }
    return signal;
  }

  /**
   * The events, one after the other, as a source that ends when the listener is closed.
   *
   * {@snippet :
   * for (Signal signal : listener.events()) {
   *   handle(signal);
   * }
   * }
   */
  public UncheckedSource<Signal> events() {
    return UncheckedSource.unfold(() -> new Next<>(this, Optional::ofNullable));
  }

  /** An event that has come and nobody has taken; never waits. */
  public Optional<Signal> tryNext() {
    StackRoom.forCalls();
    waiting.lock();
    try {
      return Optional.ofNullable(takePending());
    } finally {
      waiting.unlock();
    }
  }

  private @Nullable Signal takePending() {
    if (pending.isEmpty()) {
      return null;
    }
    for (Signal signal : signals) {
      if (pending.remove(signal)) {
        return signal;
      }
    }
    return null;
  }

  /** Called by the registry, on a thread of the JVM. */
  void deliver(Signal signal) {
    StackRoom.forCalls();
    Link toWake;
    waiting.lock();
    try {
      toWake = deliverLocked(signal);
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(toWake);
  }

  private @Nullable Link deliverLocked(Signal signal) {
    if (closed) {
      return null;
    }
    Link first = waiting.takeFirst();
    if (first == null) {
      pending.add(signal);
    } else {
      ((Next<?>) first).settle(outcomeOf(signal));
    }
    return first;
  }

  /**
   * Stops listening; if it was the last listener of a signal, the JVM does again what it did
   * before. Those who wait get a {@link CancelledException}, events that nobody has taken are gone.
   * Closing again does nothing.
   */
  @Override
  public void close() {
    StackRoom.forMany();
    Link toWake;
    waiting.lock();
    try {
      closed = true;
      pending.clear();
      toWake = waiting.takeAll();
      for (Link l = toWake; l != null; l = l.following()) {
        ((Next<?>) l).settle(Next.CLOSED);
      }
    } finally {
      waiting.unlock();
    }
    try {
      registry.forget(this);
    } finally {
      Waiter.wakeAll(toWake);
    }
  }

  @Override
  public String toString() {
    return "SignalListener" + signals;
  }

  /** {@link #next} and {@link #events}. */
  private static final class Next<T> extends WaitFuture<T> {
    static final byte CLOSED = 1;

    private final SignalListener listener;

    /** What a signal yields; null when the listener is closed. */
    private final Function<@Nullable Signal, T> result;

    Next(SignalListener listener, Function<@Nullable Signal, T> result) {
      super(listener.waiting);
      this.listener = listener;
      this.result = result;
    }

    @Override
    protected byte join(Waker waker) {
      listener.waiting.lock();
      try {
        if (listener.closed) {
          return CLOSED;
        }
        Signal there = listener.takePending();
        if (there != null) {
          return listener.outcomeOf(there);
        }
        enter(listener.waiting, waker);
        return UNSETTLED;
      } finally {
        listener.waiting.unlock();
      }
    }

    @Override
    protected T end(byte outcome) {
      return result.apply(outcome == CLOSED ? null : listener.signalOf(outcome));
    }

    @Override
    protected void leave() {
      Link toWake = null;
      listener.waiting.lock();
      try {
        if (!leave(listener.waiting)) {
          byte outcome = outcome();
          if (outcome > CLOSED) {
            toWake = listener.deliverLocked(listener.signalOf(outcome));
          }
        }
      } finally {
        listener.waiting.unlock();
      }
      Waiter.wakeAll(toWake);
    }

    @Override
    public String toString() {
      return "a signal of " + listener.signals;
    }
  }
}
