package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TimerEntry;
import dev.blitz.io.sync.Semaphore;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link TcpListener#accept}. */
final class AcceptFuture implements IoFuture<TcpStream> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

  /** Nothing tells when another part of the process closes a descriptor, so we look this often. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final TcpListener listener;
  private @Nullable UncheckedFuture<Semaphore.Permit> waiting;
  private Semaphore.@Nullable Permit turn;
  private @Nullable Pause pause;
  private Duration nextPause = FIRST_PAUSE;
  private boolean told;

  AcceptFuture(TcpListener listener) {
    this.listener = listener;
  }

  @Override
  public @Nullable TcpStream poll(Context cx) throws IOException {
    if ((turn == null && !takesTurn(cx)) || !cx.proceed()) {
      return null;
    }
    TcpStream accepted;
    try {
      accepted = attempt(cx);
    } catch (Throwable t) {
      endTurn();
      throw t;
    } finally {
      Reference.reachabilityFence(this); // and so the listener, which would be closed without
    }
    if (accepted == null) {
      cx.refund();
    } else {
      endTurn();
    }
    return accepted;
  }

  private boolean takesTurn(Context cx) {
    UncheckedFuture<Semaphore.Permit> before = waiting;
    if (before == null) {
      before = listener.turn.acquire();
      waiting = before;
    }
    turn = before.poll(cx);
    if (turn != null) {
      waiting = null;
    }
    return turn != null;
  }

  private void endTurn() {
    Semaphore.Permit ended = turn;
    turn = null;
    if (ended != null) {
      ended.close(); // the next in line looks for itself
    }
  }

  private @Nullable TcpStream attempt(Context cx) throws IOException {
    Pause now = pause;
    if (now != null) {
      now.waker = cx.waker();
      listener.endpoint.awaitClose(cx.waker());
      if (!now.hasFired() && listener.isOpen()) {
        return null;
      }
      endPause(now);
    }
    try {
      StreamEndpoint accepted = listener.endpoint.pollAccept(cx.waker());
      return accepted == null ? null : TcpStream.owning(accepted);
    } catch (NoDescriptorException e) {
      return pauseAfter(e, cx);
    }
  }

  /** The connection stays in the backlog; there is no event for "descriptors are free again". */
  private @Nullable TcpStream pauseAfter(NoDescriptorException cause, Context cx)
      throws ClosedChannelException {
    Duration length = nextPause;
    if (!told) {
      told =
          FailureLog.tryLog(
              System.Logger.Level.WARNING,
              listener + " cannot accept, and tries again until it can: " + cause.getMessage(),
              null);
    }
    Duration doubled = length.multipliedBy(2);
    nextPause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    var begun = new Pause(cx.waker());
    pause = begun;
    listener.endpoint.awaitClose(cx.waker()); // a runtime that closes does not fire its timers
    RuntimeTimers timers = listener.host.timers();
    timers.schedule(begun, RuntimeTimers.NO_WORKER, timers.deadlineAfter(length));
    if (!listener.isOpen()) { // close() may have looked for the waker just before
      endPause(begun);
      throw new ClosedChannelException();
    }
    return null;
  }

  private void endPause(Pause now) {
    pause = null;
    listener.endpoint.forgetAcceptor();
    listener.host.timers().cancel(now);
  }

  @Override
  public void drop() {
    UncheckedFuture<?> before = waiting;
    if (before != null) {
      waiting = null;
      before.drop();
    }
    if (turn != null) {
      listener.endpoint.forgetAcceptor();
      if (pause != null) {
        endPause(pause);
      }
      endTurn();
    }
  }

  @Override
  public String toString() {
    return "a connection to " + listener;
  }

  /** The timer that ends a pause. The waker is written before hasFired() is read; see there. */
  private static final class Pause extends TimerEntry {
    private volatile Waker waker;

    Pause(Waker waker) {
      this.waker = waker;
    }

    @Override
    protected void fire() {
      waker.wake();
    }
  }
}
