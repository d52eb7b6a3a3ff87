package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TimerEntry;
import dev.blitz.io.internal.wait.LastLook;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link SocketListener#accept}. */
final class AcceptFuture<S extends SocketStream> extends TurnFuture<S> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

  /** Nothing tells when another part of the process closes a descriptor, so we look this often. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final SocketListener<S> listener;
  private @Nullable Pause pause;
  private Duration nextPause = FIRST_PAUSE;
  private boolean told;

  AcceptFuture(SocketListener<S> listener) {
    super(listener.turn);
    this.listener = listener;
  }

  @Override
  @Nullable S attempt(Context cx) throws IOException {
    Pause now = pause;
    if (now != null) {
      now.waker = cx.waker();
      listener.endpoint.awaitClose(cx.waker());
      if (!now.hasFired() && listener.isOpen() && !LastLook.isUnderWay()) {
        return null;
      }
      endPause(now);
    }
    try {
      StreamEndpoint accepted = pollAccept(cx.waker());
      return accepted == null ? null : listener.owning(accepted);
    } catch (NoDescriptorException e) {
      return pauseAfter(e, cx);
    }
  }

  private @Nullable StreamEndpoint pollAccept(Waker waker) throws IOException {
    try {
      return listener.endpoint.pollAccept(waker);
    } catch (NoDescriptorException e) {
      if (!LastLook.isUnderWay()) {
        throw e;
      }
      return listener.endpoint.pollAccept(waker); // that was an accept of before: it asks now
    }
  }

  /** The connection stays in the backlog; there is no event for "descriptors are free again". */
  private @Nullable S pauseAfter(NoDescriptorException cause, Context cx)
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
    RuntimeTimers timers = listener.services.timers();
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
    listener.services.timers().cancel(now);
  }

  @Override
  void forget() {
    listener.endpoint.forgetAcceptor();
    if (pause != null) {
      endPause(pause);
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
