package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Threads that wait for the lock to count: no two at once, and nobody waits for ever. */
public class MutexLincheckTest {
  private final Mutex mutex = Mutex.create();
  private int count;

  /** Counts under the lock, however long it takes to get it. */
  @Operation
  public int increment() {
    var waiting = new Waiting<>(mutex.lock());
    for (Mutex.Guard guard = waiting.take(); ; guard = waiting.take()) {
      if (guard != null) {
        int value = ++count;
        guard.close();
        guard.close();
        return value;
      }
      while (waiting.wakes() == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Counts if the lock is free. Whether it is depends on the others' progress: no answer. */
  @Operation
  public void giveUp() {
    var waiting = new Waiting<>(mutex.lock());
    Mutex.Guard guard = waiting.take();
    if (guard == null) {
      waiting.drop();
    } else {
      guard.close();
    }
  }

  @Test
  void mutex_excludes_andLosesNobody() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
