package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a write has left in the ring's memory: all of it, unless the connection fails or is
 * reset. It goes out with the system call that the worker makes when its tasks have run, together
 * with those of other streams; writes that come before that join it.
 */
/* Implementation notes
 *
 * The first try is all or nothing more: the kernel sends everything within the call that submits it, and says nothing
 * (see SilentSends), or tells how far it came. Then the rest is sent by an entry that waits for room, and tells its
 * end.
 *
 *   field            | writer                                  | reader          | mode
 *   piece            | stage, while not armed                  | write, reaper   | the ring's lock
 *   length, joined   | stage, join, also while the kernel has not taken the entry; under the ring's lock then | write, reaper | the ring's lock
 *   sent, awaitsRoom, tried, silent, entry | stage; reaper, under the ring's lock | the same | the ring's lock
 *
 * What has become of a send is in `output` before the operation is idle.
 */
final class SendOperation extends DescriptorOperation {
  /** {@link #stage}: there is no memory now. */
  static final int NO_ROOM = 0;

  /** {@link #stage}: the descriptor or the driver is closed. */
  static final int CLOSED = -1;

  private final WakerSlot writer;
  private final SocketDescriptor socket;
  private final WakerSlot reader;
  private final OutputState output;
  private final Runnable shutDown;
  private SendBuffers.@Nullable Piece piece;
  private int length;

  /** How many writes have joined the first. */
  private int joined;

  private int sent;

  /** The kernel had no room: what is armed waits for some, and the rest is sent after that. */
  private boolean awaitsRoom;

  /** It has been tried at once. */
  private boolean tried;

  /** The kernel tells only of failure. */
  private boolean silent;

  /** The number of the entry that it is in, while it is silent. */
  private int entry;

  /**
   * {@code shutDown} tells the kernel that the output ends, on the thread that reaps, under the
   * ring's lock.
   */
  SendOperation(
      SocketDescriptor descriptor,
      WakerSlot writer,
      WakerSlot reader,
      OutputState output,
      Runnable shutDown) {
    super(descriptor);
    this.socket = descriptor;
    this.writer = writer;
    this.reader = reader;
    this.output = output;
    this.shutDown = shutDown;
  }

  /**
   * Takes all of {@code source}, which fits into a piece; only while it is not armed, by the worker
   * of {@code ring}.
   *
   * @return how many bytes, {@link #NO_ROOM} or {@link #CLOSED}
   */
  int stage(WorkerRing ring, ByteBuffer source) {
    SendBuffers.Piece memory;
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
    int bytes = source.remaining();
    try {
      memory.bytes().put(0, source, source.position(), bytes);
    } catch (Throwable t) { // the caller's memory is gone, or another thread's
      giveBackUnsent(ring);
      throw t;
    }
    length = bytes;
    joined = 0;
    sent = 0;
    awaitsRoom = false;
    tried = false;
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

  /**
   * While it is armed, by the worker of {@code ring}: adds all of {@code source} to what the kernel
   * has not taken yet, if there is room.
   *
   * @return how many bytes, or {@link #NO_ROOM}
   */
  int join(WorkerRing ring, ByteBuffer source) {
    SendBuffers.Piece memory;
    int bytes = source.remaining();
    int end;
    ring.lock();
    try {
      if (!isJoinable(ring, bytes)) {
        return NO_ROOM;
      }
      memory = Objects.requireNonNull(piece);
      end = length;
    } finally {
      ring.unlock();
    }
    memory.bytes().put(end, source, source.position(), bytes); // no one else of this worker uses it
    ring.lock();
    try {
      if (!isJoinable(ring, bytes) || !ring.tryLengthen(entry, end + bytes)) {
        return NO_ROOM;
      }
      length = end + bytes;
      joined++;
      return bytes;
    } finally {
      ring.unlock();
    }
  }

  private boolean isJoinable(WorkerRing ring, int bytes) {
    return silent
        && isArmedOn(ring)
        && !isCancelling()
        && joined < UringTuning.MOST_JOINED
        && length + bytes <= UringTuning.SEND_BYTES;
  }

  /** Whether it is in the entry of this number, and nothing has been told of it. */
  boolean isSilent(int number) {
    return silent && entry == number;
  }

  /** All has been sent, as nothing was told; under the ring's lock. */
  void succeeded(WorkerRing ring, WokenSlots woken) {
    complete(ring, length, 0, woken);
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
    SendBuffers.Piece memory = piece;
    piece = null;
    if (memory != null && !ring.isClosed()) {
      ring.sendBuffers().giveBack(memory);
    }
  }

  @Override
  void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
    if (awaitsRoom) {
      SubmissionAbi.poll(entries, at, descriptor().number(), PosixAbi.POLLOUT, userData);
      return;
    }
    long address = piece == null ? 0 : piece.address() + sent;
    int fd = descriptor().number();
    silent = !tried && ring.trySilence(this);
    tried = true;
    if (silent) {
      entry = ring.nextEntry();
      SubmissionAbi.sendAtOnce(entries, at, fd, address, length, userData);
    } else {
      SubmissionAbi.send(entries, at, fd, address, length - sent, userData);
    }
  }

  @Override
  void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
    boolean waited = awaitsRoom;
    awaitsRoom = !waited && !silent && result == -Errno.EAGAIN;
    silent = false;
    if (result < 0 && !isPassing(result)) {
      output.failed(-result);
    } else if (result > 0 && !waited) {
      sent += result;
    }
    if (!goesOn(ring)) {
      giveBack(ring);
      woken.add(writer);
      if (SocketErrors.isBroken(output.errno())) {
        woken.add(reader); // the kernel has told the sender: it may tell nobody else
      }
      if (sent < length) {
        output.lost();
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
    return sent < length && output.failure() == 0 && !isCancelling() && !ring.isEnding();
  }

  private static boolean isPassing(int result) {
    return switch (-result) {
      case Errno.ECANCELED, Errno.EINTR, Errno.EAGAIN -> true;
      default -> false;
    };
  }

  @Override
  void idle() {
    if (output.sent() == OutputState.Next.SHUT_DOWN) {
      shutDown.run();
    }
  }
}
