package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A {@link KernelCall}: any operation with one completion, with or without a descriptor. */
final class CallOperation extends Operation {
  /**
   * Calls whose memory the kernel may still write to, for good: nobody else may get it. A list
   * through {@link #lostBefore}: keeping one takes no memory.
   */
  private static final AtomicReference<@Nullable CallOperation> LAST_LOST = new AtomicReference<>();

  private final KernelCall call;

  @SuppressWarnings("unused") // keeps it
  private @Nullable CallOperation lostBefore;

  private int result;
  private boolean lost;

  CallOperation(KernelCall call) {
    this.call = call;
  }

  @Override
  boolean tryBegin() {
    Descriptor descriptor = call.descriptor();
    return descriptor == null || descriptor.tryUse();
  }

  @Override
  void aborted() {
    Descriptor descriptor = call.descriptor();
    if (descriptor != null) {
      descriptor.release();
    }
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.call(entries, at, call.request(), userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    this.result = result;
    lost = ring.hasFailed();
  }

  @Override
  void ended(WokenSlots woken) {
    woken.answer(this);
  }

  /** Without a lock, after the last completion. */
  void answer() {
    if (lost) {
      keep();
    }
    try {
      aborted(); // first: who is told and closes the descriptor finds it closed
    } finally {
      call.answer(result, lost);
    }
  }

  private void keep() {
    CallOperation last;
    do {
      last = LAST_LOST.get();
      lostBefore = last;
    } while (!LAST_LOST.compareAndSet(last, this));
  }

  /** Under the lock of a ring that is closed though this has not completed. */
  void lose(WorkerRing ring, WokenSlots woken) {
    complete(ring, -Errno.ECANCELED, 0, woken);
    lost = true; // it is answered when the lock is free
  }

  @Override
  public String toString() {
    return call.toString();
  }
}
