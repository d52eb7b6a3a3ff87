package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.driver.CountedArena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Buffers of equal size that the kernel picks from when data arrives, and that come back after the
 * data has been copied out. Giving back may happen on any thread; a buffer is given back once.
 */
/* Implementation notes
 *
 * The shared array has as many entries as there are buffers, so there is always room to give one back.
 *
 * More buffers. The kernel takes from the head, we put to the tail, so it goes round all that it has: each buffer more is memory that is touched,
 * and leaves the cache. So it gets more only when it has run out, which it tells by ending the receive that found none. A burst
 * ends many receives so, one for each stream that it reaches too late, and each tells the same. Once they are doubled, those that are still in the completion queue
 * must not double them again. Buffers that are added are behind all others; so the kernel cannot run out again before it has taken the very last of
 * them, and the completion that tells of that precedes the ends which count: from then on `usedUp`. Kernels that queue ends behind
 * later arrivals may let one count too many, which costs memory; none is lost, as the next read of that stream meets the same want.
 *
 *   word       | written by                  | read by          | mode
 *   entry      | giveBack, under `lock`      | kernel           | plain; published by tail
 *   tail       | giveBack, under `lock`      | kernel (acquire) | release
 *   provided   | provide, under `lock`, by the completion side, | the same; anyone | volatile; for others a hint
 *              | which alone calls ranOut                       | by isExhausted   |
 *   usedUp     | took, provide; completion side                 | ranOut, likewise | plain; the worker ring's lock
 *   takes      | took; completion side                          | taken, anyone    | opaque, a hint for who reads it
 *   returns    | giveBack, under `lock`                         | taken, anyone    | opaque, likewise
 *   filled,    | who holds the buffer: from took to giveBack    | the same         | plain; ReceivedBytes has a lock
 *   following  |                             |                  |
 */
final class BufferRing implements AutoCloseable {
  private static final VarHandle TAKES =
      Fields.of(MethodHandles.lookup(), "takes", int.class).withInvokeExactBehavior();
  private static final VarHandle RETURNS =
      Fields.of(MethodHandles.lookup(), "returns", int.class).withInvokeExactBehavior();

  private final int group;
  private final int count;
  private final int size;
  private final CountedArena arena;
  private final MemorySegment ring;
  private final MemorySegment memory;

  /** {@link #memory}, to be copied from by index. */
  private final ByteBuffer bytes;

  private final SpinLock lock = new SpinLock();
  private int tail;
  private volatile int provided;

  /** Whether the kernel has taken the last of the buffers that it was given since. */
  private boolean usedUp;

  private int takes;
  private int returns;

  /** How many bytes of each buffer hold data, and which buffer of its stream follows. */
  private final int[] filled;

  private final int[] following;

  BufferRing(UringRing owner, int group, int count, int size) {
    this(owner, group, count, size, count);
  }

  /**
   * Registers buffers with a ring.
   *
   * @param group the number by which operations name them
   * @param count the most there will be, a power of two
   * @param size of each, in bytes
   * @param first how many the kernel gets now; more with {@link #ranOut}
   * @throws UringException if the kernel refuses, as kernels before 5.19 do
   */
  BufferRing(UringRing owner, int group, int count, int size, int first) {
    if (Integer.bitCount(count) != 1 || count > BufferAbi.MAX_ENTRIES) {
      throw new IllegalArgumentException("not a power of two within the limit: " + count);
    }
    this.group = group;
    this.count = count;
    this.size = size;
    filled = new int[count];
    following = new int[count];
    arena = CountedArena.open("buffers of an io_uring");
    try {
      ring = UringCalls.pages(count * BufferAbi.BYTES, arena);
      memory = UringCalls.pages((long) count * (size + UringTuning.GAP_BYTES), arena);
      bytes = memory.asByteBuffer();
      MemorySegment registration = arena.allocate(UringAbi.BUFFER_REGISTRATION);
      UringAbi.describeBuffers(registration, ring.address(), count, group);
      int result =
          UringCalls.register(owner.descriptor(), UringAbi.REGISTER_PBUF_RING, registration, 1);
      if (result < 0) {
        throw new UringException("registering a buffer ring", -result);
      }
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
    provide(first);
  }

  private void provide(int upTo) {
    lock.lock();
    try {
      for (int id = provided; id < upTo; id++) {
        put(id);
      }
      provided = upTo;
      usedUp = false;
      MemoryAbi.setShortRelease(ring, BufferAbi.TAIL, (short) tail);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The kernel has ended a receive for want of a buffer: lets it have twice as many, up to {@link
   * #count}, unless it told of that before it got the last ones. By who owns the completion side.
   *
   * @return false if it has all of them
   */
  boolean ranOut() {
    if (!usedUp) {
      return true;
    }
    int before = provided;
    if (before == count) {
      return false;
    }
    provide(2 * before);
    return true;
  }

  /** How many the kernel may fill, or has filled. */
  int provided() {
    return provided;
  }

  /**
   * Whether most buffers are filled and not yet given back, and there are no more to be had; a hint
   * for any thread.
   */
  boolean isExhausted() {
    return provided == count && taken() > count - count / 4;
  }

  int group() {
    return group;
  }

  /** How many buffers hold data that nobody has copied out yet, as far as completions were seen. */
  int taken() {
    return (int) TAKES.getOpaque(this) - (int) RETURNS.getOpaque(this);
  }

  /** A completion says that the kernel has put {@code bytes} into buffer {@code id}. */
  void took(int id, int bytes) {
    if (id >= count) {
      throw new IllegalStateException("the kernel names buffer " + id + " of " + count);
    }
    filled[id] = bytes;
    usedUp |= id == provided - 1;
    TAKES.setOpaque(this, takes + 1);
  }

  /** How many bytes filled buffer {@code id} holds. */
  int filled(int id) {
    return filled[id];
  }

  /** Which buffer {@link #follow} has put behind {@code id}. */
  int following(int id) {
    return following[id];
  }

  /** Filled buffer {@code next} belongs behind {@code id}. */
  void follow(int id, int next) {
    following[id] = next;
  }

  /**
   * Moves the bytes of {@code next} to the end of {@code id}, if they fit; {@code next} goes back
   * then.
   */
  boolean join(int id, int next) {
    int bytes = filled[next];
    int end = filled[id];
    if (end + bytes > size) {
      return false;
    }
    MemorySegment.copy(memory, start(next), memory, start(id) + end, bytes);
    filled[id] = end + bytes;
    giveBack(next);
    return true;
  }

  /** Copies bytes of a filled buffer, from {@code from} on, to {@code target}; takes no memory. */
  void copyOut(int id, int from, ByteBuffer target, int at, int length) {
    target.put(at, bytes, (int) start(id) + from, length);
  }

  private long start(int id) {
    return (long) id * (size + UringTuning.GAP_BYTES);
  }

  /** The kernel may fill buffer {@code id} again. */
  void giveBack(int id) {
    lock.lock();
    put(id);
    MemoryAbi.setShortRelease(ring, BufferAbi.TAIL, (short) tail);
    RETURNS.setOpaque(this, returns + 1);
    lock.unlock();
  }

  private void put(int id) {
    long at = (tail & (count - 1)) * BufferAbi.BYTES;
    BufferAbi.write(ring, at, memory.address() + start(id), size, id);
    tail++;
  }

  /** After the last operation on this group has completed, or after its ring was closed. */
  @Override
  public void close() {
    arena.close();
  }

  /** The kernel may use the memory for good: nobody else gets it. */
  void abandon() {
    arena.abandon();
  }
}
