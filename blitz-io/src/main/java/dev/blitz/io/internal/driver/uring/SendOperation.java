package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a write has left in the ring's memory: all of it, unless the connection fails or is
 * reset. It goes out with the system call in which the worker sleeps next, together with those of
 * other streams.
 */
/* Implementation notes
 *
 *   field            | writer                                  | reader          | mode
 *   piece, length    | stage, while not armed                  | write, reaper   | the ring's lock
 *   sent, awaitsRoom | stage; reaper, under the ring's lock    | the same        | the ring's lock
 *   failure          | reaper, before the operation is idle    | writing side, having seen it idle | plain; pairs by `home`
 *   broken           | reaper                                  | reading side    | volatile; the kernel tells one side only, and
 *                    |                                         |                 | the reader learns of the end after that
 *   lost             | reaper, before the operation is idle    | whoever ends the output | volatile
 */
final class SendOperation extends DescriptorOperation {
  /** {@link #stage}: there is no memory now. */
  static final int NO_ROOM = 0;

  /** {@link #stage}: the descriptor or the driver is closed. */
  static final int CLOSED = -1;

  private final WakerSlot writer;
  private final SocketDescriptor socket;
  private final WakerSlot reader;
  private final Runnable whenIdle;
  private @Nullable MemorySegment piece;
  private int length;
  private int sent;

  /** The kernel had no room: what is armed waits for some, and the rest is sent after that. */
  private boolean awaitsRoom;

  private int failure;
  private volatile int broken;
  private volatile boolean lost;

  /** {@code whenIdle} is run after each send, on the thread that reaps, under the ring's lock. */
  SendOperation(
      SocketDescriptor descriptor, WakerSlot writer, WakerSlot reader, Runnable whenIdle) {
    super(descriptor);
    this.socket = descriptor;
    this.writer = writer;
    this.reader = reader;
    this.whenIdle = whenIdle;
  }

  /**
   * Takes all of {@code source}, which fits into a piece; only while it is not armed, by the worker
   * of {@code ring}.
   *
   * @return how many bytes, {@link #NO_ROOM} or {@link #CLOSED}
   */
  int stage(WorkerRing ring, MemorySegment source) {
    MemorySegment memory;
    ring.lock();
    try {
      memory = ring.isClosed() ? null : ring.sendBuffers().take();
    } finally {
      ring.unlock();
    }
    if (memory == null) {
      return NO_ROOM;
    }
    piece = memory;
    int bytes = (int) source.byteSize();
    try {
      MemorySegment.copy(source, 0, memory, 0, bytes);
    } catch (Throwable t) { // the caller's memory is gone, or another thread's
      giveBackUnsent(ring);
      throw t;
    }
    length = bytes;
    sent = 0;
    awaitsRoom = false;
    boolean armed = false;
    try {
      armed = arm(ring);
    } finally {
      if (!armed && !isArmed()) {
        giveBackUnsent(ring);
      }
    }
    return armed ? bytes : CLOSED;
  }

  private void giveBackUnsent(WorkerRing ring) {
    ring.lock();
    try {
      giveBack(ring);
    } finally {
      ring.unlock();
    }
  }

  private void giveBack(WorkerRing ring) {
    MemorySegment memory = piece;
    piece = null;
    if (memory != null && !ring.isClosed()) {
      ring.sendBuffers().giveBack(memory);
    }
  }

  /**
   * Writing side, while it is not armed: the errno of a send that has failed, or 0. For good: bytes
   * that were taken are missing.
   */
  int failure() {
    return failure;
  }

  /** For any thread: the errno by which a send has found the connection broken, for good; or 0. */
  int broken() {
    return broken;
  }

  /** For any thread: whether the peer does not get all that was taken. */
  boolean hasLost() {
    return lost;
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    if (awaitsRoom) {
      SubmissionAbi.poll(entries, at, descriptor().number(), ReadinessOperation.POLLOUT, userData);
      return;
    }
    long address = piece == null ? 0 : piece.address() + sent;
    SubmissionAbi.send(entries, at, descriptor().number(), address, length - sent, userData);
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    boolean waited = awaitsRoom;
    awaitsRoom = !waited && result == -Errno.EAGAIN;
    if (result < 0 && !isPassing(result)) {
      failure = -result;
      if (SocketErrors.isBroken(-result)) {
        broken = -result;
      }
    } else if (result > 0 && !waited) {
      sent += result;
    }
    if (!goesOn(ring)) {
      giveBack(ring);
      woken.add(writer);
      if (broken != 0) {
        woken.add(reader); // the kernel has told the sender: it may tell nobody else
      }
      if (sent < length) {
        lost = true;
        socket.closesByReset();
      }
    }
  }

  /** What was taken is sent, except before a reset: the stream sees to that. */
  @Override
  boolean endsWithDescriptor() {
    return false;
  }

  /** A part was sent, or the thread that had submitted it has ended: the rest follows. */
  @Override
  boolean goesOn(WorkerRing ring) {
    return sent < length && failure == 0 && !isCancelling() && !ring.isEnding();
  }

  private static boolean isPassing(int result) {
    return switch (-result) {
      case Errno.ECANCELED, Errno.EINTR, Errno.EAGAIN -> true;
      default -> false;
    };
  }

  @Override
  void idle() {
    whenIdle.run();
  }
}
