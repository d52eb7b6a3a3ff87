package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Places;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that drives a worker, which is an object of its own: before a call that blocks, the
 * thread hands its worker over to another thread and goes on without.
 */
public final class WorkerThread extends RuntimeThread {
  private final WorkerThreads threads;

  /** What this thread drives, null after a hand-over; only for this thread. */
  private @Nullable Worker worker;

  /** The context of the polls on this thread; after a hand-over, that of its last one. */
  private volatile PollContext context;

  /** A worker for a thread that waits in {@link SpareThreads}; written by the giver. */
  private volatile @Nullable Worker given;

  private volatile boolean waitEnded;

  /** Who waits there longer; of {@link SpareThreads}. */
  @Nullable WorkerThread idleBefore;

  WorkerThread(WorkerThreads threads, Home home, Worker worker, String name) {
    super(home, name);
    this.threads = threads;
    this.worker = worker;
    this.context = worker.context();
  }

  /**
   * The worker of a runtime that drives the calling code, or null. A caller on a virtual thread
   * must be pinned: otherwise it may be on another worker when it uses the answer.
   */
  static @Nullable Worker current(Home home) {
    return CarrierAccess.currentCarrier() instanceof WorkerThread t && t.home() == home
        ? t.worker
        : null;
  }

  /** Whether this thread still drives {@code worker}; only for this thread. */
  boolean drives(Worker worker) {
    return this.worker == worker;
  }

  @Override
  protected int workerIndex() {
    Worker mine = worker;
    return mine == null ? RuntimeTimers.NO_WORKER : mine.index();
  }

  @Override
  public boolean isWorker() {
    return worker != null;
  }

  @Override
  public @Nullable JoinCell<?> currentTask() {
    return context.task();
  }

  /** For any thread: what it was polling at some moment. */
  @Nullable TaskCell<?> peekTask() {
    return context.peekTask();
  }

  @Override
  public void countForcedYield() {
    context.countForcedYield();
  }

  // --- Handing over ---

  @Override
  public HandOver handOver(boolean hasPlace) {
    Worker mine = worker;
    Places places = home().places();
    if (mine == null || !mine.isPolling()) {
      if (hasPlace) {
        places.giveBack();
      }
      return HandOver.NONE;
    }
    if (!hasPlace && !tryTake(places)) {
      return HandOver.FULL;
    }
    worker = null;
    boolean done = false;
    try {
      done = threads.handOver(mine, this);
    } finally {
      if (!done) { // no other thread to be had, or the end is near: the call blocks the worker
        worker = mine;
      }
    }
    return done ? HandOver.DONE : HandOver.NONE;
  }

  private boolean tryTake(Places places) {
    StackRoom.forMany(); // for the hand-over: an overflow there would lose the place
    boolean inPoll = Thread.currentThread() == this; // it cannot wait for its turn
    boolean taken = places.tryTake(inPoll);
    if (!taken && inPoll) {
      threads.logInPlaceLimit();
    }
    return taken;
  }

  /** Gives this thread, which has been taken from the spare ones, a worker. */
  void give(Worker worker) {
    given = worker;
    LockSupport.unpark(this);
  }

  @Nullable Worker takeGiven() {
    Worker w = given;
    if (w != null) {
      given = null; // not otherwise: it may be given between the two lines
    }
    return w;
  }

  void endWait() {
    waitEnded = true;
    LockSupport.unpark(this);
  }

  boolean isWaitEnded() {
    return waitEnded;
  }

  @Override
  public void run() {
    threads.began();
    try {
      for (Worker w = worker; w != null; w = threads.spares().await(this)) {
        worker = w;
        context = w.context();
        threads.drive(w, this);
        if (worker == null) {
          home().busy().add(-1); // the poll that handed the worker over has ended
          home().places().giveBack();
        }
        worker = null;
      }
    } finally {
      threads.wakeIdleAfterClose(); // its last poll may have ended after the close
      threads.ended();
    }
  }
}
