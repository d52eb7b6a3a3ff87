package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A {@link KernelCall}: any operation with one completion, with or without a descriptor. */
final class CallOperation extends Operation {
  /** Calls whose memory the kernel may still write to, for good: nobody else may get it. */
  private static final Queue<KernelCall> LOST = new ConcurrentLinkedQueue<>();

  private final KernelCall call;
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
      LOST.add(call);
    }
    try {
      aborted(); // first: who is told and closes the descriptor finds it closed
    } finally {
      call.answer(result, lost);
    }
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
