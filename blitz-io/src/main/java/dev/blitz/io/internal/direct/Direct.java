package dev.blitz.io.internal.direct;

import static dev.blitz.io.internal.current.RuntimeThread.HandOver.DONE;
import static dev.blitz.io.internal.current.RuntimeThread.HandOver.FULL;
import static dev.blitz.io.internal.current.RuntimeThread.HandOver.NONE;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.current.RuntimeThread.HandOver;

/** What a direct task can do beyond other tasks, for whoever is calling. */
public final class Direct {
  private Direct() {}

  /**
   * Calls {@code body}, which may block, after the caller's worker has been handed over to another
   * thread. Where there is no worker to hand over, the body is just called. If too many calls block
   * in place, a virtual thread waits for its turn; inside a poll the call blocks the worker.
   */
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  public static <V> V blockInPlace(ThrowingSupplier<? extends V> body) throws Exception {
    DirectBody<?> direct = DirectBody.current();
    if (direct != null && direct.isInPlace()) {
      return body.get();
    }
    StackRoom.forMany();
    boolean pinned = CarrierAccess.pin(); // what waits inside must not come back on a worker
    try {
      HandOver result = NONE;
      if (CarrierAccess.currentCarrier() instanceof RuntimeThread carrier) {
        result = carrier.handOver(false);
        if (result == FULL && pinned && (direct == null || !direct.isPolling())) {
          pinned = false;
          CarrierAccess.unpin(); // waits off the worker: those who block may need it
          takePlace(carrier.home());
          pinned = CarrierAccess.pin();
          result = handOverAgain(carrier.home());
        }
      }
      if (result != DONE) {
        if (pinned) {
          pinned = false;
          CarrierAccess.unpin();
        }
        return body.get();
      }
      if (direct == null) {
        return body.get();
      }
      direct.setInPlace(true);
      try {
        return body.get();
      } finally {
        direct.setInPlace(false);
      }
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
        Thread.yield(); // go on with a worker; the thread is free for another hand-over
      }
    }
  }

  /** Cancelled meanwhile, it ends as an await does. */
  private static void takePlace(Home home) {
    try {
      home.places().take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var cancelled = new CancelledException("interrupted while waiting to block in place");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  /** With a place of {@code home}'s; the caller may have come to another thread with it. */
  private static HandOver handOverAgain(Home home) {
    if (CarrierAccess.currentCarrier() instanceof RuntimeThread t && t.home() == home) {
      return t.handOver(true);
    }
    home.places().giveBack(); // the runtime has closed meanwhile
    return NONE;
  }

  /** Calls {@code body} shielded from the cancellation of the direct task that is calling. */
  public static <V> V shielded(ThrowingSupplier<? extends V> body) throws Exception {
    DirectBody<?> direct = DirectBody.current();
    StackRoom.forCalls(); // also for the end of the shield, at the same depth
    TimedCall.enterShield();
    try {
      if (direct == null) {
        return body.get();
      }
      DirectCell<?> cell = direct.cell();
      cell.shield();
      try {
        return body.get();
      } finally {
        cell.unshield();
      }
    } finally {
      TimedCall.exitShield();
    }
  }
}
