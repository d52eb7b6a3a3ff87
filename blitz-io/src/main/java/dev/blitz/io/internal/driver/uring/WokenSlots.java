package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import org.jspecify.annotations.Nullable;

/**
 * What is left to be done after a ring's lock has been given up: whom to wake, since a waker may be
 * anybody's code, and which descriptors to let go of, since the last user of one closes it, which
 * may wait for a thread of the blocking pool, and which kernel calls to answer. Belongs to one
 * thread at a time. It has a fixed size, so that a lack of memory cannot lose a wake: who serves
 * stops when it {@linkplain #isFull is full}, and goes on after {@link #wakeAll}.
 */
final class WokenSlots {
  /** The most that one completion adds of either kind. */
  private static final int PER_COMPLETION = 2;

  private final @Nullable WakerSlot[] slots;
  private int count;
  private final @Nullable Descriptor[] unused;
  private int unusedCount;
  private final @Nullable CallOperation[] calls;
  private int callCount;

  WokenSlots(int size) {
    slots = new WakerSlot[size];
    unused = new Descriptor[size];
    calls = new CallOperation[size];
  }

  /** Whether there may be no room for what another completion adds. */
  boolean isFull() {
    return Math.max(Math.max(count, unusedCount), callCount) > slots.length - PER_COMPLETION;
  }

  /** An operation uses it no more. */
  void release(Descriptor descriptor) {
    unused[unusedCount++] = descriptor;
  }

  /** A kernel call has completed. */
  void answer(CallOperation call) {
    calls[callCount++] = call;
  }

  void add(WakerSlot slot) {
    slots[count++] = slot;
  }

  /** Does it all, whatever fails; how many were waiting. */
  int wakeAll() {
    RuntimeException failure = null;
    Error error = null;
    for (int i = 0; i < unusedCount; i++) {
      Descriptor descriptor = unused[i];
      unused[i] = null;
      try {
        if (descriptor != null) {
          descriptor.release();
        }
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        error = e;
      }
    }
    unusedCount = 0;
    int woken = 0;
    for (int i = 0; i < count; i++) {
      WakerSlot slot = slots[i];
      slots[i] = null;
      try {
        if (slot != null && slot.wake()) {
          woken++;
        }
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        error = e;
      }
    }
    count = 0;
    for (int i = 0; i < callCount; i++) {
      CallOperation call = calls[i];
      calls[i] = null;
      try {
        if (call != null) {
          call.answer();
          woken++;
        }
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        error = e;
      }
    }
    callCount = 0;
    if (error != null) {
      throw error;
    }
    if (failure != null) {
      throw failure;
    }
    return woken;
  }
}
