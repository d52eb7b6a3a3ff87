package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's run queue: a FIFO ring from which thieves take half, and a LIFO slot for the newest
 * task.
 *
 * <p>Push, pop and the LIFO methods but {@link #stealLifo} are for the owner; the rest is for any
 * thread. Lock-free; nothing is allocated.
 */
/* Implementation notes
 *
 * head packs two 32-bit positions: `steal` (upper) and `real` (lower). `real` is where the next task is
 * taken, by the owner or by a thief. steal == real: nobody is stealing. steal != real: a thief has
 * claimed [steal, real) and is still copying; those slots may not be overwritten, and no second thief
 * may claim. Positions only grow and wrap as ints; differences stay right. The word of tail has one of them.
 *
 * Steal, three phases:
 *   claim    CAS head (s, s) -> (s, s+n)
 *   copy     read n slots, clear them, write them into the thief's own ring
 *   release  CAS head (s, r) -> (r, r), repeated until it succeeds: the owner may pop meanwhile
 *
 * field   writer            mode         reader               mode      pairs with
 * slots   owner             plain        owner, thief         plain     tail below; head for re-use
 * slots   thief (clears)    plain        owner (re-use)       plain     release CAS -> push's read of head
 * tail    owner             release      thief                acquire   a thief that sees t sees slots < t
 * head    owner, thief      CAS          owner, thief         acquire   above
 * lifo    owner (fills)     release      thief                CAS       its task's fields
 * lifo    owner (empties)   getAndSet    thief                CAS       only one of them gets the task
 * Only the owner fills the LIFO slot, so once the owner has seen it empty it stays so and a release store
 * fills it. No look at the idle state follows: nobody is woken for a LIFO slot, a thief comes by itself.
 * A push ends with a full fence because a look at the idle state follows, which must not come first: a worker
 * that is going to sleep looks at tail after it has announced itself. After a quiet push the CAS of the
 * owner's next pop does as much.
 *
 * Lineage: the ring of Tokio's multi-threaded scheduler. We differ: 32-bit halves (no ABA within 2^32
 * tasks), the LIFO slot lives here so that a thief can take it, slots are cleared for the collector.
 */
final class LocalRunQueue<E> extends PaddedLifo.Pad<E> {

  /** Takes what does not fit. */
  interface Overflow<E> {
    /** Takes the memory that the next {@code count} tasks need, so that taking them needs none. */
    default void reserve(int count) {}

    /**
     * Takes the first {@code count} of {@code tasks}, in this order. A list, not an array: an array
     * of E would be one of Object, which an implementation for another E cannot take.
     */
    void overflow(List<@Nullable E> tasks, int count);
  }

  private static final VarHandle HEAD = Fields.of(MethodHandles.lookup(), "head", long.class);
  private static final VarHandle TAIL = Fields.of(MethodHandles.lookup(), "tail", long.class);
  private static final VarHandle LIFO =
      Fields.of(MethodHandles.lookup(), PaddedLifo.Lifo.class, "lifo", Object.class);

  private final @Nullable E[] slots;
  private final int mask;

  /** For the owner's overflows: half a ring and one. */
  private final @Nullable E[] spill;

  /** The same, as {@link Overflow} sees it. */
  private final List<@Nullable E> spillView;

  LocalRunQueue(int capacity) {
    this(capacity, 0);
  }

  /** {@code origin}: the first position, so that tests can see the positions wrap. */
  @SuppressWarnings("unchecked") // arrays of E that nobody else sees
  LocalRunQueue(int capacity, int origin) {
    if (Integer.bitCount(capacity) != 1 || capacity < 2) {
      throw new IllegalArgumentException("capacity must be a power of two from 2: " + capacity);
    }
    slots = (@Nullable E[]) new Object[capacity];
    spill = (@Nullable E[]) new Object[capacity / 2 + 1];
    spillView = Arrays.asList(spill);
    mask = capacity - 1;
    HEAD.set(this, pack(origin, origin));
    TAIL.set(this, (long) origin);
  }

  static long pack(int steal, int real) {
    return (long) steal << 32 | (real & 0xFFFF_FFFFL);
  }

  static int steal(long head) {
    return (int) (head >>> 32);
  }

  static int real(long head) {
    return (int) head;
  }

  private int tailPlain() {
    return (int) (long) TAIL.get(this);
  }

  private long headAcquire() {
    return (long) HEAD.getAcquire(this);
  }

  private boolean casHead(long expected, long next) {
    return HEAD.compareAndSet(this, expected, next);
  }

  // --- The owner ---

  /**
   * Puts a task at the tail; when the ring is full, half of it and the task go to {@code overflow}.
   */
  void push(E task, Overflow<E> overflow) {
    pushQuietly(task, overflow);
    VarHandle.fullFence();
  }

  /** The same for an owner that will not look at the idle state before its next pop. */
  void pushQuietly(E task, Overflow<E> overflow) {
    int t = tailPlain();
    for (; ; ) {
      long h = headAcquire();
      if (t - steal(h) < slots.length) {
        slots[t & mask] = task;
        TAIL.setRelease(this, (long) (t + 1));
        return;
      }
      if (steal(h) != real(h)) { // a thief is making room, but has not finished
        spillOne(task, overflow);
        return;
      }
      try {
        // First: after the claim an error would lose half a ring of tasks.
        overflow.reserve(slots.length / 2 + 1);
      } catch (OutOfMemoryError e) {
        spillOne(task, overflow); // which may need none: a task that was woken must get in
        return;
      }
      if (spillHalf(h, task, overflow)) {
        return;
      }
    }
  }

  private void spillOne(E task, Overflow<E> overflow) {
    overflow.reserve(1);
    spill[0] = task;
    overflow.overflow(spillView, 1);
    spill[0] = null;
  }

  /**
   * Puts a task behind the tail without publishing it: {@code offset} tasks have been put there
   * since the last {@link #publish}. The caller knows that there is room.
   */
  void putUnpublished(int offset, E task) {
    slots[(tailPlain() + offset) & mask] = task;
  }

  /** Makes the {@code count} tasks behind the tail visible, in one volatile write. */
  void publish(int count) {
    TAIL.setVolatile(this, (long) (tailPlain() + count));
  }

  private boolean spillHalf(long h, E task, Overflow<E> overflow) {
    int half = slots.length / 2;
    int from = real(h);
    StackRoom.forStep();
    if (!casHead(h, pack(from + half, from + half))) {
      return false;
    }
    // In bulk: the collector's barriers are then paid once and not for each task.
    int start = from & mask;
    int first = Math.min(half, slots.length - start);
    System.arraycopy(slots, start, spill, 0, first);
    System.arraycopy(slots, 0, spill, first, half - first);
    Arrays.fill(slots, start, start + first, null);
    Arrays.fill(slots, 0, half - first, null);
    spill[half] = task;
    overflow.overflow(spillView, half + 1);
    Arrays.fill(spill, null);
    return true;
  }

  /** Takes the oldest task of the ring. */
  @Nullable E pop() {
    int t = tailPlain();
    for (; ; ) {
      long h = headAcquire();
      int real = real(h);
      if (real == t) {
        return null;
      }
      int next = real + 1;
      if (casHead(h, pack(steal(h) == real ? next : steal(h), next))) {
        int slot = real & mask;
        E task = slots[slot];
        slots[slot] = null;
        return task;
      }
    }
  }

  /** Puts the newest task into the LIFO slot and returns the one it replaces. */
  @SuppressWarnings("unchecked") // only E is ever stored
  @Nullable E swapLifo(E task) {
    if (lifo == null) {
      LIFO.setRelease(this, task);
      return null;
    }
    return (E) LIFO.getAndSet(this, task);
  }

  /**
   * Puts the newest task into the LIFO slot and the one that it replaces at the tail of the ring.
   * If that one does not get in, it is in the slot again, and the newest is the caller's.
   *
   * @return whether there was one
   */
  @SuppressWarnings("unchecked") // as above
  boolean pushLifo(E task, Overflow<E> overflow) {
    E evicted = swapLifo(task);
    if (evicted == null) {
      return false;
    }
    try {
      push(evicted, overflow);
      return true;
    } catch (Throwable e) { // no memory, say
      if (LIFO.getAndSet(this, evicted) == null) {
        return false; // a thief has the newest already
      }
      throw e;
    }
  }

  /** Takes the newest task. */
  @SuppressWarnings("unchecked") // as above
  @Nullable E popLifo() {
    return lifo == null ? null : (E) LIFO.getAndSet(this, null);
  }

  /** Free slots, as far as the owner can tell: thieves only make more. */
  int free() {
    return slots.length - (tailPlain() - steal(headAcquire()));
  }

  // --- Anyone ---

  /** Tasks in the ring; a snapshot. */
  int length() {
    // Volatile reads in this order: a worker that announced itself and then finds 0 has not missed
    // a task.
    long h = head;
    int t = (int) tail;
    return Math.max(0, t - real(h));
  }

  boolean hasLifo() {
    return lifo != null;
  }

  /** Takes the LIFO slot's task from another worker. */
  @Nullable E stealLifo() {
    E task = lifo;
    return task != null && LIFO.compareAndSet(this, task, null) ? task : null;
  }

  /**
   * Moves half of this ring into {@code thief}, which the caller owns, and returns one of the
   * tasks; null when there is nothing, another thief is at work, or the thief's ring is more than
   * half full.
   */
  @Nullable E stealInto(LocalRunQueue<E> thief) {
    int to = thief.tailPlain();
    if (to - steal(thief.headAcquire()) > thief.slots.length / 2) {
      return null;
    }
    int from;
    int n;
    for (; ; ) {
      long h = headAcquire();
      from = real(h);
      if (steal(h) != from) {
        return null;
      }
      int available = (int) (long) TAIL.getAcquire(this) - from;
      n = available - available / 2;
      if (n <= 0) {
        return null;
      }
      if (n > slots.length / 2) {
        continue; // head and tail are of different times
      }
      if (casHead(h, pack(from, from + n))) {
        break;
      }
    }
    for (int i = 0; i < n; i++) {
      int slot = (from + i) & mask;
      thief.slots[(to + i) & thief.mask] = slots[slot];
      slots[slot] = null;
    }
    release();
    int last = (to + n - 1) & thief.mask;
    E task = thief.slots[last];
    thief.slots[last] = null;
    if (n > 1) {
      TAIL.setVolatile(thief, (long) (to + n - 1));
    }
    return task;
  }

  private void release() {
    for (; ; ) {
      long h = headAcquire();
      if (casHead(h, pack(real(h), real(h)))) {
        return;
      }
    }
  }
}
