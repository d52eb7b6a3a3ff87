package dev.blitz.parallel.internal;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Puts idle workers to sleep and wakes them when something is posted, losing no post.
 *
 * <p>Steps S2-S9 and P2-P4 are those of {@code docs/design/parallel-sleep.md}, where the proof is.
 */
final class Sleep {
  /** The part of step S7 that only the worker itself can do. */
  interface LastLook {
    /** Whether something that only this worker can see has arrived. */
    boolean mustStayAwake(@Nullable Latch latch);
  }

  private final SleepCounters counters;
  private final Sleeper[] sleepers;

  Sleep(int capacity, int firstEvent) {
    counters = new SleepCounters(firstEvent);
    sleepers = new Sleeper[capacity];
    for (int i = 0; i < capacity; i++) {
      sleepers[i] = new Sleeper();
    }
  }

  /** A search found nothing: the worker is inactive from here to {@link #foundWork}. */
  void startLooking() {
    counters.addInactive();
  }

  /**
   * An inactive worker goes back to work. The last awake one hands its watch to a sleeper, because
   * posters may have counted on it. Also with an even JEC: two posts may have counted on one
   * worker, which then announced, found the first and leaves the second.
   */
  void foundWork() {
    long word = counters.subInactive();
    if (SleepCounters.awakeIdle(word) <= 0 && SleepCounters.sleeping(word) > 0) {
      wakeAny(1);
    }
  }

  /** S2. */
  int announceSleepy() {
    return counters.announceSleepy();
  }

  /**
   * S4-S9 for the current thread, a worker that has searched everything since it announced.
   *
   * @param latch what a joiner waits for; null for a worker without a job
   * @return whether the thread was interrupted meanwhile, which clears the flag
   */
  boolean sleep(WorkerThread worker, int snapshot, @Nullable Latch latch) {
    return sleep(worker.index, snapshot, latch, worker.counters, worker);
  }

  /** The same with a bed, counters and last look of its own. */
  boolean sleep(
      int index, int snapshot, @Nullable Latch latch, WorkerCounters stats, LastLook lastLook) {
    if (latch != null && !(latch.becomeSleepy() && latch.fallAsleep())) {
      return false;
    }
    boolean interrupted = false;
    if (counters.tryAddSleeping(snapshot)) {
      Sleeper self = sleepers[index];
      self.block(Thread.currentThread());
      // Between S6 and S7: the latch is read with acquire only, which alone could overtake the
      // store of the flag.
      VarHandle.fullFence();
      if (SleepCounters.events(counters.read()) != snapshot
          || (latch != null && latch.isSet())
          || lastLook.mustStayAwake(latch)) {
        if (self.tryUnblock()) {
          counters.subSleeping();
        }
      } else {
        stats.slept();
        interrupted = self.park();
        stats.woken();
      }
    }
    if (latch != null) {
      latch.wakeUp();
    }
    return interrupted;
  }

  /** P2-P4. Returns how many were woken. */
  int posted(int jobs, boolean queueWasEmpty) {
    return wakeAny(announcePost(jobs, queueWasEmpty));
  }

  /** P2 and P3; returns how many P4 should wake. */
  int announcePost(int jobs, boolean queueWasEmpty) {
    VarHandle.fullFence();
    long word = counters.post();
    int sleeping = SleepCounters.sleeping(word);
    int wanted = queueWasEmpty ? jobs - SleepCounters.awakeIdle(word) : jobs;
    return Math.min(wanted, sleeping);
  }

  /** P2-P4 for something that only one worker can run. */
  void postedTo(int index) {
    VarHandle.fullFence();
    counters.post();
    wake(index);
  }

  /** Wakes this worker if it is blocked. */
  boolean wake(int index) {
    Sleeper sleeper = sleepers[index];
    if (!sleeper.tryUnblock()) {
      return false;
    }
    counters.subSleeping();
    sleeper.unpark();
    return true;
  }

  /** P4. Once begun it must end: half woken, a worker would never wake. */
  int wakeAny(int wanted) {
    int woken = 0;
    for (int i = 0; i < sleepers.length && woken < wanted; i++) {
      if (wake(i)) {
        woken++;
      }
    }
    return woken;
  }

  SleepCounters counters() {
    return counters;
  }
}
