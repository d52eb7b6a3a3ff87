package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;

/** Receives what arrives at a stream into the ring's buffers, until it is cancelled or ends. */
final class ReceiveOperation extends Operation {
  private final ReceivedBytes received;
  private final WakerSlot reader;

  ReceiveOperation(Descriptor descriptor, ReceivedBytes received, WakerSlot reader) {
    super(descriptor);
    this.received = received;
    this.reader = reader;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.receiveMany(entries, at, descriptor().number(), ring.buffers().group(), userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    BufferRing buffers = ring.buffers();
    if (CompletionAbi.hasBuffer(flags)) {
      int id = CompletionAbi.buffer(flags);
      buffers.took(id);
      boolean spill = buffers.isShort() && !buffers.provideMore();
      if (result <= 0) {
        buffers.giveBack(id);
      } else if (received.add(buffers, id, result, spill) > UringTuning.MOST_UNREAD_BYTES
          && !CompletionAbi.isLast(flags)) {
        cancelUnderLock(ring); // nobody reads: the peer has to wait
      }
    }
    if (CompletionAbi.isLast(flags)) {
      switch (-result) {
        case SocketAbi.ENOBUFS -> buffers.provideMore();
        // Ended by us, or because the thread that submitted it has ended: the next read arms it
        // again.
        case UringAbi.ECANCELED, SocketAbi.EINTR, SocketAbi.EAGAIN -> {}
        default -> {
          if (result <= 0) {
            received.end(-result);
          }
        }
      }
    }
    woken.add(reader);
  }
}
