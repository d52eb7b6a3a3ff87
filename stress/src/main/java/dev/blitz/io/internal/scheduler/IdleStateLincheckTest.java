package dev.blitz.io.internal.scheduler;

import dev.blitz.stress.ModelCheck;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The sleep protocol with one worker, producers, and the overseer's extra wake-ups: work never
 * waits while the worker sleeps and nobody is on the way to wake it.
 */
public class IdleStateLincheckTest {
  private final IdleState idle = new IdleState(1);

  /** Stands for the queues. */
  private final AtomicInteger work = new AtomicInteger();

  /** The worker is parked at first. */
  public IdleStateLincheckTest() {
    idle.announceParked(0);
  }

  /** As Scheduler.notifyOne; the cleared bit is the wake-up. */
  private void notifyOne() {
    while (idle.claim(-1) == IdleState.IN_VAIN && work.get() > 0) {
      // Look again: as the scheduler does.
    }
  }

  /** A producer. */
  @Operation
  public void post() {
    work.incrementAndGet();
    notifyOne();
  }

  /** The overseer, which wakes a worker whoever is searching. */
  @Operation(nonParallelGroup = "overseer")
  public void wakeAnother() {
    if (idle.claimAnother(-1) == IdleState.IN_VAIN && work.get() > 0) {
      notifyOne();
    }
  }

  /** The worker, if it is awake: takes what there is, and goes to sleep again. */
  @Operation(nonParallelGroup = "worker")
  public void work() {
    if (idle.isParked(0)) {
      return;
    }
    boolean searching = true; // a worker whose bit was cleared by another
    if (work.getAndSet(0) > 0) {
      searching = false;
      if (idle.stopSearching() && work.get() > 0) {
        notifyOne();
      }
    }
    idle.announceParked(0);
    if (searching) {
      idle.stopSearching();
    }
    if (work.get() > 0) {
      notifyOne();
    }
  }

  /** What must hold when nobody is in the middle of something. */
  @Validate
  public void noWorkWaitsForASleeper() {
    boolean asleep = idle.isParked(0);
    if (asleep ? work.get() > 0 || idle.searching() != 0 : idle.searching() != 1) {
      throw new IllegalStateException(work.get() + " tasks wait, " + idle);
    }
  }

  @Test
  void work_isNeverLeftToASleeper() {
    ModelCheck.check(
        new ModelCheckingOptions().threads(3).actorsPerThread(2).actorsAfter(0), getClass());
  }
}
