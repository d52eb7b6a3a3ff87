package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.timer.RuntimeTimers;
import org.jspecify.annotations.Nullable;

/**
 * What the calling thread is to a runtime: a worker inside a poll, a thread of the blocking pool,
 * the thread of a direct task, or a stranger. Virtual threads that a task has started by the JDK's
 * means are strangers too, whoever carries them. The one place that knows.
 */
public final class Current {

  /** The direct task of each virtual thread that the JDK carries for one. */
  private static final ThreadLocal<@Nullable DirectPlace> HOSTED = new ThreadLocal<>();

  private Current() {}

  /** The calling thread's place, or null for a stranger. */
  public static @Nullable Inside here() {
    Thread t = Thread.currentThread();
    return t instanceof RuntimeThread r ? r : direct(t);
  }

  /** The place of the direct task whose thread is the calling one, or null. */
  public static @Nullable DirectPlace direct() {
    return direct(Thread.currentThread());
  }

  private static @Nullable DirectPlace direct(Thread t) {
    if (!t.isVirtual()) {
      return null;
    }
    if (CarrierAccess.isOwn()) {
      return CarrierAccess.schedulerOf(t) instanceof DirectPlace p && p.isOf(t) ? p : null;
    }
    return HOSTED.get();
  }

  /** The calling thread, which the JDK carries, belongs to {@code place} until it ends. */
  public static void begin(DirectPlace place) {
    HOSTED.set(place);
  }

  /** The runtime, or null for a stranger. */
  public static @Nullable Home home() {
    Inside here = here();
    return here == null ? null : here.home();
  }

  /**
   * The runtime.
   *
   * @param what asks for it, for the message
   * @throws IllegalStateException for a stranger
   */
  public static Home required(String what) {
    Home home = home();
    if (home != null) {
      return home;
    }
    throw new IllegalStateException(
        what
            + " needs a runtime, and "
            + Telling.of(Thread.currentThread())
            + " belongs to none: use Blitz.run(...), or spawn it on a BlitzRuntime of your own");
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

  /** The worker of the runtime with these timers that the calling thread drives, or NO_WORKER. */
  public static int worker(RuntimeTimers timers) {
    return pollingThread() instanceof RuntimeThread t && t.home().timers() == timers
        ? t.workerIndex()
        : RuntimeTimers.NO_WORKER;
  }

  /**
   * The platform thread on which the caller runs and stays: its own, or the carrier of a direct
   * task that is pinned to it because it polls. Null for other virtual threads.
   */
  private static @Nullable Thread pollingThread() {
    Thread t = Thread.currentThread();
    if (!t.isVirtual()) {
      return t;
    }
    DirectPlace direct = direct(t);
    return direct != null && direct.isPolling() ? CarrierAccess.currentCarrier() : null;
  }
}
