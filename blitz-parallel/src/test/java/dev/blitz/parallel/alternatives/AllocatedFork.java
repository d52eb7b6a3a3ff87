package dev.blitz.parallel.alternatives;

import dev.blitz.parallel.IntWork;
import java.util.concurrent.atomic.AtomicInteger;

/** One job object per fork, as both deques of this package need it. */
final class AllocatedFork extends AtomicInteger {
  private static final long serialVersionUID = 1L;

  private final transient IntWork<RuntimeException> work;
  private int result;

  AllocatedFork(IntWork<RuntimeException> work) {
    this.work = work;
  }

  /** By a thief. */
  void execute() {
    result = work.run();
    setRelease(1);
  }

  /** By the owner of a stolen fork. */
  int await() {
    while (getAcquire() == 0) {
      Thread.onSpinWait();
    }
    return result;
  }
}
