package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The operations that are armed on a ring, by the numbers that the kernel keeps for them: slot in
 * the low half, generation in the high half, of which the uppermost four bits are free for {@link
 * Tag}. A number outlives its operation safely: once removed it finds nothing, also after the slot
 * has been taken again. Under the ring's lock, but for {@link #seemsEmpty}. Only growing takes
 * memory.
 */
/* Implementation notes
 *
 * Why no lock of its own, and nothing lock-free: numbers are given by who arms and taken back by who reaps, on whatever thread, and
 * both have the ring's lock for what comes before and after: the entry in the submission queue, the state of the operation. The one look
 * from outside is that of a worker whose ring has failed, for whether operations are left.
 *
 *   field                             | writer         | reader          | mode
 *   operations, generations, free, freeCount | insert, remove | the same, find  | the ring's lock
 *   count                             | insert, remove | the same        | the ring's lock
 *                                     |                | seemsEmpty      | opaque; nothing is added to a ring that has failed, so what it
 *                                     |                |                 | finds too high another look, under the lock, puts right
 *
 * Memory is taken before anything changes, so that a lack of it changes nothing.
 *
 * The generation of a slot has 28 bits, changes with each insert and is never 0. Two numbers could be mixed up if a slot were taken two hundred
 * million times while an answer to the first is on its way: it would have to outlast as many completions, which the kernel queues in
 * order. The slot that was left last is taken first: its cells are in the cache.
 */
final class OperationTable {
  private static final int LAST_GENERATION = (1 << 28) - 1;

  private static final VarHandle COUNT =
      Fields.of(MethodHandles.lookup(), "count", int.class).withInvokeExactBehavior();

  private final int lastGeneration;
  private @Nullable Operation[] operations;
  private int[] generations;
  private int[] free;
  private int freeCount;
  private int count;

  /** {@code capacity}: slots at first; they are doubled when they run out. */
  OperationTable(int capacity) {
    this(capacity, LAST_GENERATION);
  }

  /** {@code lastGeneration}: after it a slot begins anew. */
  OperationTable(int capacity, int lastGeneration) {
    this.lastGeneration = lastGeneration;
    operations = new Operation[capacity];
    generations = new int[capacity];
    free = new int[capacity];
    freeFrom(0);
  }

  /** The slots from {@code first} on are free, the lowest to be taken first. */
  private void freeFrom(int first) {
    for (int slot = operations.length - 1; slot >= first; slot--) {
      free[freeCount++] = slot;
    }
  }

  /** Gives {@code operation} a number, which is never 0. */
  long insert(Operation operation) {
    if (freeCount == 0) {
      grow();
    }
    int slot = free[freeCount - 1];
    int last = generations[slot];
    int generation = last == lastGeneration ? 1 : last + 1;
    generations[slot] = generation;
    operations[slot] = operation;
    freeCount--;
    count++;
    return (long) generation << 32 | slot;
  }

  private void grow() {
    int before = operations.length;
    @Nullable Operation[] moreOperations = Arrays.copyOf(operations, 2 * before);
    int[] moreGenerations = Arrays.copyOf(generations, 2 * before);
    int[] moreFree = new int[2 * before];
    operations = moreOperations;
    generations = moreGenerations;
    free = moreFree;
    freeFrom(before);
  }

  /** The operation of {@code key}, or null if it has been removed. */
  @Nullable Operation find(long key) {
    int slot = (int) key;
    boolean known =
        slot >= 0 && slot < operations.length && generations[slot] == (int) (key >>> 32);
    return known ? operations[slot] : null;
  }

  /** Takes the operation of {@code key} out; false if that has happened before. */
  boolean remove(long key) {
    if (find(key) == null) {
      return false;
    }
    int slot = (int) key;
    operations[slot] = null;
    free[freeCount++] = slot;
    count--;
    return true;
  }

  /** How many slots there are. */
  int slots() {
    return operations.length;
  }

  /** The operation in a slot, or null. */
  @Nullable Operation inSlot(int slot) {
    return operations[slot];
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** As {@link #isEmpty}, by any thread, as a hint. */
  boolean seemsEmpty() {
    return (int) COUNT.getOpaque(this) == 0;
  }
}
