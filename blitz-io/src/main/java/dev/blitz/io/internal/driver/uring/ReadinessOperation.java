package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;

/** Waits once for something to be said of a socket; errors and hang-ups always count. */
/* Implementation notes
 *
 *   field | writer                               | reader           | mode
 *   seen  | reaper, before the operation is idle | the waiting side | volatile: written before the wake, and read after
 *         |                                      |                  | the waker was stored
 */
final class ReadinessOperation extends DescriptorOperation {
  private final int events;
  private final WakerSlot waiting;
  private volatile boolean seen;

  ReadinessOperation(Descriptor descriptor, int events, WakerSlot waiting) {
    super(descriptor);
    this.events = events;
    this.waiting = waiting;
  }

  /** Whether it has ever come true. */
  boolean isSeen() {
    return seen;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.poll(entries, at, descriptor().number(), events, userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    if (result > 0) {
      seen = true;
    }
    woken.add(waiting); // whatever it says: who waits finds out by a call of its own
  }
}
