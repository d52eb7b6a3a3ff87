package dev.blitz.stress.control;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The correct twin of the Lincheck canary: the same queue, one step per operation. */
public class LockedQueueLincheckTest {
  private static final int CAPACITY = 2;

  private final int[] slots = new int[CAPACITY];
  private int head;
  private int tail;

  /** Adds an element, or says that the queue is full. */
  @Operation
  public synchronized boolean offer(int value) {
    if (tail - head == CAPACITY) {
      return false;
    }
    slots[tail % CAPACITY] = value;
    tail++;
    return true;
  }

  /** Takes the oldest element, or null when there is none. */
  @Operation
  public synchronized @Nullable Integer poll() {
    if (head == tail) {
      return null;
    }
    int value = slots[head % CAPACITY];
    head++;
    return value;
  }

  @Test
  void queue_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
