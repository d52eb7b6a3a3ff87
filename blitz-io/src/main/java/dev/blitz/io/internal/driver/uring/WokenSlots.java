package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.WakerSlot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whom to wake after a ring's lock has been given up: a waker may be anybody's code. Belongs to one
 * thread at a time.
 */
final class WokenSlots {
  private @Nullable WakerSlot[] slots = new WakerSlot[64];
  private int count;

  void add(WakerSlot slot) {
    if (count == slots.length) {
      slots = Arrays.copyOf(slots, 2 * count);
    }
    slots[count++] = slot;
  }

  /** Wakes all of them; how many were waiting. */
  int wakeAll() {
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
