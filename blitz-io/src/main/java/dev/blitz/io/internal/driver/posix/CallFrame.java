package dev.blitz.io.internal.driver.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that one thread uses for one call: errno, an address, a small value, a message, and
 * a staging area for bytes of the heap. Frames are lent, because a poll may run on any thread, also
 * on a virtual one.
 */
/* Implementation notes
 *
 * A frame lies in the pool's slot that the thread's number picks, or is with its borrower. Taking and giving back
 * are single getAndSets; an empty slot makes a new frame, a full one lets it go. The memory is the garbage
 * collector's, so a frame that is lost with its thread costs nothing for good.
 */
public final class CallFrame {
  private static final int SLOTS = 64;
  private static final AtomicReferenceArray<@Nullable CallFrame> POOL =
      new AtomicReferenceArray<>(SLOTS);

  /** The most that one call moves through the staging area. */
  public static final int STAGING_BYTES = 64 * 1024;

  /** Segments of one vectored call; what a caller has beyond that goes into the next one. */
  public static final int MAX_VECTORS = 16;

  /** An option's value, or an event to be watched for. */
  private static final int VALUE_BYTES = 16;

  /** A {@code struct sockaddr_storage}: the name of any socket. */
  public static final int ADDRESS_BYTES = 128;

  /** A {@code struct msghdr}, and room. */
  private static final int MESSAGE_BYTES = 64;

  private final MemorySegment errno;
  private final MemorySegment address;
  private final MemorySegment value;
  private final MemorySegment length;
  private final MemorySegment message;
  private final MemorySegment iovecs;
  private final MemorySegment[] vectors = new MemorySegment[MAX_VECTORS];

  private @Nullable MemorySegment staging;
  private @Nullable ByteBuffer stagingBytes;

  private CallFrame() {
    Arena arena = Arena.ofAuto();
    errno = LibcCalls.allocateErrno(arena);
    address = arena.allocate(ADDRESS_BYTES, 8);
    value = arena.allocate(VALUE_BYTES, 8);
    length = arena.allocate(4, 4);
    message = arena.allocate(MESSAGE_BYTES, 8);
    iovecs = PosixAbi.allocateVectors(arena, MAX_VECTORS);
    Arrays.fill(vectors, MemorySegment.NULL);
  }

  /** Borrows a frame; give it back with {@link #giveBack}. */
  public static CallFrame take() {
    CallFrame frame = POOL.getAndSet(slot(), null);
    return frame != null ? frame : new CallFrame();
  }

  /** Ends the loan. */
  public void giveBack() {
    POOL.setRelease(slot(), this);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & SLOTS - 1;
  }

  /** Where a call leaves errno. */
  public MemorySegment errno() {
    return errno;
  }

  /** Sixteen bytes for a call's argument. */
  public MemorySegment value() {
    return value;
  }

  /** Memory for the name of a socket. */
  public MemorySegment address() {
    return address;
  }

  /** Memory for the length of something. */
  public MemorySegment length() {
    return length;
  }

  /** Memory for the header of a message. */
  public MemorySegment message() {
    return message;
  }

  /** {@link #MAX_VECTORS} vectors. */
  public MemorySegment iovecs() {
    return iovecs;
  }

  /**
   * The memory that the vectors point at, for the time of a call; else {@link MemorySegment#NULL}.
   */
  public MemorySegment[] vectors() {
    return vectors;
  }

  /** A call with {@code count} vectors is over. */
  void forgetVectors(int count) {
    Arrays.fill(vectors, 0, count, MemorySegment.NULL);
  }

  /** The staging area, {@link #STAGING_BYTES} long. */
  public MemorySegment staging() {
    MemorySegment area = staging;
    if (area == null) {
      area = Arena.ofAuto().allocate(STAGING_BYTES, 64);
      staging = area;
    }
    return area;
  }

  /** The staging area, to be copied from and to by index. */
  ByteBuffer stagingBytes() {
    ByteBuffer bytes = stagingBytes;
    if (bytes == null) {
      bytes = staging().asByteBuffer();
      stagingBytes = bytes;
    }
    return bytes;
  }
}
