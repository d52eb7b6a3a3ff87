package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;

/** Waits until a socket can be written to, or has failed. */
final class ReadinessOperation extends Operation {
  static final int POLLOUT = 4;

  private final WakerSlot writer;

  ReadinessOperation(Descriptor descriptor, WakerSlot writer) {
    super(descriptor);
    this.writer = writer;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.poll(entries, at, descriptor().number(), POLLOUT, userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    woken.add(writer); // whatever it says: the writer's own call finds out
  }
}
