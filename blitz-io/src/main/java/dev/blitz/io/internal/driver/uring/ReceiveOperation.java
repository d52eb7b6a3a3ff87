package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;

/** Receives what arrives at a stream into the ring's buffers, until it is cancelled or ends. */
/* Implementation notes
 *
 *   field   | writer                                                     | reader       | mode
 *   cancelAbove | reaper                                                 | the same     | under the ring's lock; handed on by `armedOn`
 *   starved | reaper, before the operation is idle; reading side while idle | reading side, having seen it idle | plain; pairs by `armedOn`
 */
final class ReceiveOperation extends DescriptorOperation {
  private final ReceivedBytes received;
  private final SocketDescriptor socket;
  private final WakerSlot reader;
  private boolean starved;
  private int cancelAbove = UringTuning.MOST_UNREAD_BYTES;

  ReceiveOperation(SocketDescriptor descriptor, ReceivedBytes received, WakerSlot reader) {
    super(descriptor);
    this.socket = descriptor;
    this.received = received;
    this.reader = reader;
  }

  /**
   * Reading side, while it is not armed: whether it ended because all buffers hold data, or too
   * many of this stream.
   */
  boolean isStarved() {
    return starved;
  }

  /** Reading side, while it is not armed. */
  void setStarved(boolean starved) {
    this.starved = starved;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    SubmissionAbi.receiveMany(entries, at, descriptor().number(), ring.buffers().group(), userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    woken.add(reader); // it is woken when the lock is free, so after all that follows
    BufferRing buffers = ring.buffers();
    if (CompletionAbi.isLast(flags)) {
      switch (-result) {
        case Errno.ENOBUFS -> starved = !isAhead() && !buffers.ranOut();
        // Ended by us, or because the thread that submitted it has ended: the next read arms it
        // again. One that was far behind the peer reads by calls first, until there is nothing.
        case Errno.ECANCELED, Errno.EINTR, Errno.EAGAIN ->
            starved = cancelAbove != UringTuning.MOST_UNREAD_BYTES;
        default -> {
          if (result <= 0) {
            received.end(-result);
          }
        }
      }
    }
    if (CompletionAbi.hasBuffer(flags)) {
      int id = CompletionAbi.buffer(flags);
      buffers.took(id, Math.max(0, result));
      if (result <= 0) {
        buffers.giveBack(id);
        return;
      }
      int unread = received.add(buffers, id);
      if (unread == ReceivedBytes.CLOSED) {
        if (!descriptor().isOpen()) { // else whoever closes it finds out
          socket.closesByReset(); // as the kernel does with what nobody has read
        }
      } else if (!isAhead()) {
        cancelAbove = UringTuning.MOST_UNREAD_BYTES;
      } else if (unread > cancelAbove && !CompletionAbi.isLast(flags)) {
        // Nobody reads: the peer has to wait. Again if that goes on: a cancel may come to nothing.
        cancelAbove = unread + UringTuning.MOST_UNREAD_BYTES;
        cancelAgainUnderLock(ring);
      }
    }
  }

  /** Whether more is unread than a stream is entitled to: then no buffers are added for it. */
  private boolean isAhead() {
    return received.unread() > UringTuning.MOST_UNREAD_BYTES;
  }
}
