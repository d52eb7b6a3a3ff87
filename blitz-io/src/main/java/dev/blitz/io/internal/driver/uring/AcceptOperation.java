package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;

/** Accepts connections until it is cancelled or fails. */
final class AcceptOperation extends DescriptorOperation {
  private final AcceptedQueue accepted;
  private final WakerSlot acceptor;

  AcceptOperation(Descriptor descriptor, AcceptedQueue accepted, WakerSlot acceptor) {
    super(descriptor);
    this.accepted = accepted;
    this.acceptor = acceptor;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.acceptMany(entries, at, descriptor().number(), userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    if (result >= 0) {
      if (accepted.add(result) >= UringTuning.MOST_UNACCEPTED && !CompletionAbi.isLast(flags)) {
        cancelUnderLock(ring); // nobody accepts: the kernel's backlog has room
      }
    } else {
      switch (-result) {
        case Errno.ECANCELED, Errno.EINTR, Errno.EAGAIN -> {}
        default -> accepted.fail(-result);
      }
    }
    woken.add(acceptor);
  }
}
