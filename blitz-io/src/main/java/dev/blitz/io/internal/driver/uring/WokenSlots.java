package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is left to be done after a ring's lock has been given up: whom to wake, since a waker may be
 * anybody's code, and which descriptors to let go of, since the last user of one closes it, which
 * may wait for a thread of the blocking pool. Belongs to one thread at a time.
 */
final class WokenSlots {
  private @Nullable WakerSlot[] slots = new WakerSlot[64];
  private int count;
  private @Nullable Descriptor[] unused = new Descriptor[8];
  private int unusedCount;

  /** An operation uses it no more. */
  void release(Descriptor descriptor) {
    if (unusedCount == unused.length) {
      unused = Arrays.copyOf(unused, 2 * unusedCount);
    }
    unused[unusedCount++] = descriptor;
  }

  void add(WakerSlot slot) {
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, 2 * count);
    }
    slots[count++] = slot;
  }

  /** Does it all; how many were waiting. */
  int wakeAll() {
    for (int i = 0; i < unusedCount; i++) {
      Descriptor descriptor = unused[i];
      unused[i] = null;
      if (descriptor != null) {
        descriptor.release();
      }
    }
    unusedCount = 0;
    int woken = 0;
    for (int i = 0; i < count; i++) {
      WakerSlot slot = slots[i];
      slots[i] = null;
      if (slot != null && slot.wake()) {
        woken++;
      }
    }
    count = 0;
    return woken;
  }
}
