package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.policy.TimeSource;

/** The workers with what they share: their queues, who of them sleeps, and how one is woken. */
final class Crew {
  private final IdleState idle;
  private final InjectQueue inject = new InjectQueue();
  private final Driver driver;
  private final TimerSeat seat;
  private Worker[] workers = {};
  private WorkerThreads threads;

  @SuppressWarnings("NullAway.Init") // see complete
  Crew(int count, Driver driver, TimeSource clock) {
    this.driver = driver;
    idle = new IdleState(count);
    seat = new TimerSeat(this, clock, count);
  }

  /** Adds those that need the crew themselves; before the first task. All are parked. */
  void complete(Worker[] workers, WorkerThreads threads) {
    this.workers = workers;
    this.threads = threads;
    for (Worker w : workers) {
      idle.announceParked(w.index());
    }
  }

  Worker[] workers() {
    return workers;
  }

  IdleState idle() {
    return idle;
  }

  InjectQueue inject() {
    return inject;
  }

  Driver driver() {
    return driver;
  }

  TimerSeat seat() {
    return seat;
  }

  /** Puts an item into the queue that all share, and wakes a worker for it. */
  void post(QueueItem item) {
    push(item);
    notifyOne();
  }

  /**
   * Puts an item into the queue that all share; after the end of the runtime, ends it. If this
   * throws, nothing has happened; the caller has to {@link #notifyOne} otherwise.
   */
  void push(QueueItem item) {
    if (!inject.push(item)) {
      Abandoning.abandon(item);
    }
  }

  /** Work that a searcher can take: rings and the inject queue. */
  boolean hasQueuedWork() {
    if (inject.length() > 0) {
      return true;
    }
    for (Worker w : workers) {
      if (w.queue().length() > 0) {
        return true;
      }
    }
    return false;
  }

  /** After a task was posted: wakes a parked worker unless one is searching already. */
  void notifyOne() {
    for (; ; ) {
      int index = idle.claim(seat.sitter());
      if (index >= 0) {
        wake(index);
        return;
      }
      if (index == IdleState.NOBODY || !hasQueuedWork()) {
        return;
      }
    }
  }

  /** The same, if there is work in a queue that others may take from. */
  void notifyIfWorkWaits() {
    if (hasQueuedWork()) {
      notifyOne();
    }
  }

  /**
   * Wakes one more worker even though some are searching: those that search may not see this work.
   */
  void wakeAnother() {
    int index = idle.claimAnother(seat.sitter());
    if (index >= 0) {
      wake(index);
    } else if (index == IdleState.IN_VAIN) {
      notifyIfWorkWaits();
    }
  }

  private void wake(int index) {
    if (threads.isStarted(index)) {
      driver.unpark(index);
    } else {
      threads.start(index);
    }
  }

  /** Lets some parked worker look at timers and driver, and go on sleeping. */
  void callWorker() {
    for (Worker w : workers) {
      int i = w.index();
      if (idle.isParked(i) && threads.isStarted(i)) {
        driver.unpark(i); // not claimed
        return;
      }
    }
    wakeAnother(); // none that is parked has a thread
  }
}
