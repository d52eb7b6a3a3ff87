package dev.blitz.benchmarks.scheduler;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A hand-off with one slot, made of a waker and an atomic. One taker; a put finds the slot empty or
 * waited for. The state is null, the taker's waker, or FULL.
 */
final class BlitzSlot {
  private static final Object FULL = new Object();

  private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

  void put() {
    if (state.getAndSet(FULL) instanceof Waker waiting) {
      waiting.wake();
    }
  }

  /** True if something was there; otherwise the task will be woken. */
  boolean take(Context cx) {
    Object now = state.get();
    if (now != FULL) {
      Waker waker = cx.waker();
      if (now == waker || state.compareAndSet(now, waker)) {
        return false;
      }
    }
    // Release is enough: the next put is an answer to what the taker does after this.
    state.setRelease(null);
    return true;
  }
}
