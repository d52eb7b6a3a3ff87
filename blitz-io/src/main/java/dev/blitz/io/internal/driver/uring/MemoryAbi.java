package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The ordered accesses to words shared with the kernel. An acquire read pairs with the kernel's
 * release store of the same word, a release store with its acquire read.
 */
final class MemoryAbi {
  private MemoryAbi() {}

  private static final VarHandle INT = JAVA_INT.varHandle().withInvokeExactBehavior();
  private static final VarHandle SHORT = JAVA_SHORT.varHandle().withInvokeExactBehavior();

  static void setInt(MemorySegment memory, long offset, int value) {
    memory.set(JAVA_INT, offset, value);
  }

  static int getIntAcquire(MemorySegment memory, long offset) {
    return (int) INT.getAcquire(memory, offset);
  }

  static void setIntRelease(MemorySegment memory, long offset, int value) {
    INT.setRelease(memory, offset, value);
  }

  static void setShortRelease(MemorySegment memory, long offset, short value) {
    SHORT.setRelease(memory, offset, value);
  }
}
