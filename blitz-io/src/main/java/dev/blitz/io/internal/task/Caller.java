package dev.blitz.io.internal.task;

import static dev.blitz.io.internal.task.RuntimeThread.HandOver.DONE;
import static dev.blitz.io.internal.task.RuntimeThread.HandOver.FULL;
import static dev.blitz.io.internal.task.RuntimeThread.HandOver.NONE;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.task.RuntimeThread.HandOver;
import org.jspecify.annotations.Nullable;

/**
 * What the calling thread is to a runtime: a worker inside a poll, a thread of the blocking pool,
 * the thread of a direct task, or a stranger. Virtual threads that a task has started by the JDK's
 * means are strangers too, whoever carries them.
 */
public final class Caller {
  private Caller() {}

  /** The runtime's inside, or null for a stranger. */
  public static @Nullable TaskHost host() {
    if (Thread.currentThread() instanceof RuntimeThread t) {
      return t.host();
    }
    DirectBody<?> direct = DirectBody.current();
    return direct == null ? null : direct.cell().host;
  }

  /**
   * The runtime's inside.
   *
   * @param what asks for it, for the message
   * @throws IllegalStateException for a stranger
   */
  public static TaskHost required(String what) {
    TaskHost host = host();
    if (host != null) {
      return host;
    }
    throw new IllegalStateException(
        what
            + " needs a runtime, and thread "
            + Thread.currentThread().getName()
            + " belongs to none: use Blitz.run(...), or spawn it on a BlitzRuntime of your own");
  }

  /** The task that the calling thread is running, or null. */
  public static @Nullable JoinCell<?> task() {
    if (Thread.currentThread() instanceof RuntimeThread t) {
      return t.currentTask();
    }
    DirectBody<?> direct = DirectBody.current();
    return direct == null ? null : direct.cell();
  }

  /**
   * The platform thread on which the caller runs and stays: its own, or the carrier of a direct
   * task that is pinned to it because it polls. Null for other virtual threads.
   */
  static @Nullable Thread pollingThread() {
    Thread t = Thread.currentThread();
    if (!t.isVirtual()) {
      return t;
    }
    DirectBody<?> direct = DirectBody.current();
    return direct != null && direct.isPolling() ? CarrierAccess.currentCarrier() : null;
  }

  /** Whether the caller is a worker, which polls and must never wait. */
  public static boolean isWorker() {
    return Thread.currentThread() instanceof RuntimeThread t && t.isWorker();
  }

  /**
   * Before a wait of unknown length, which may be for a task: if the caller is a worker inside a
   * poll, another thread goes on with its worker, and the caller without, until its poll ends. If
   * there is no other thread, or too many wait like this, the wait blocks the worker.
   */
  public static void leaveWorker() {
    if (Thread.currentThread() instanceof RuntimeThread t) {
      t.handOver(false);
    }
  }

  /** Whether the caller is the thread of a direct task. */
  public static boolean isDirect() {
    return DirectBody.current() != null;
  }

  /**
   * Waits for {@code future} as the direct task that is calling.
   *
   * @return null if the caller is none
   */
  public static <V> @Nullable V awaitDirect(Future<V> future) throws Exception {
    DirectBody<?> direct = DirectBody.current();
    if (direct == null) {
      return null;
    }
    if (direct.isInPlace()) {
      direct.beforeAwaitInPlace(future);
      return null; // it may block its thread, as a stranger does
    }
    return direct.await(future);
  }

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
          carrier.host().takePlace();
          pinned = CarrierAccess.pin();
          result = handOverAgain(carrier.host());
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

  /** With a place of {@code host}'s; the caller may have come to another thread with it. */
  private static HandOver handOverAgain(TaskHost host) {
    if (CarrierAccess.currentCarrier() instanceof RuntimeThread t && t.host() == host) {
      return t.handOver(true);
    }
    host.giveBackPlace(); // the runtime has closed meanwhile
    return NONE;
  }

  /** Calls {@code body} shielded from the cancellation of the direct task that is calling. */
  public static <V> V shielded(ThrowingSupplier<? extends V> body) throws Exception {
    DirectBody<?> direct = DirectBody.current();
    if (direct == null) {
      return body.get();
    }
    DirectCell<?> cell = direct.cell();
    StackRoom.forCalls(); // also for the end of the shield, at the same depth
    cell.shield();
    try {
      return body.get();
    } finally {
      cell.unshield();
    }
  }
}
