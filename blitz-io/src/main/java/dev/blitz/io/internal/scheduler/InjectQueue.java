package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.task.QueueItem;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue for tasks that come from outside the workers, and for what overflows their rings. FIFO
 * and unbounded. A push is one compare-and-set and an array store and never waits for a lock; those
 * who take tasks out, the workers, exclude each other for a moment.
 */
/* Implementation notes
 *
 * Protocol. A list of segments, each an array that is filled from the front. A producer claims the next index of the
 * last segment by a CAS of its `tail` and writes the task there; when the segment is full it appends another first.
 * Whoever holds the lock takes tasks from `head` on. A task that is claimed but not yet written hides those behind it
 * for the moment that its producer needs for one store: popInto then answers null though the queue is not empty, and
 * its caller comes again. close() sets the sign bit of the last segment's tail: a task that is pushed later is the
 * pusher's to end.
 *
 * Orderings
 *   Segment.tail  producers: CAS          others: volatile read
 *                 POST of docs/design/scheduler.md: claimed before the producer looks at the idle state; a worker that
 *                 goes to sleep reads it after it has announced itself. One sees the other. What the producer did
 *                 before its CAS is seen by whoever reads the tail.
 *   items[i]      producer: plain         holder: plain
 *                 after the holder's read of the tail, so the task's fields are seen too
 *   head          holder: volatile        anybody: volatile
 *                 read before the tail: length() never tells too little
 *   headSegment   holder                  holder                   locked: CAS to take it, volatile write to release it
 *   tailSegment   producers: CAS          anybody: volatile
 *                 moves on before anything is pushed into the next segment
 *
 * Errors. After the claim there is one array store, and the lock is released by a field write: neither needs stack or
 * memory, so no StackOverflowError or OutOfMemoryError leaves a hole or a lock behind. A segment is made before
 * anything in it is claimed, and half a segment before it is needed: a task that has been woken must get in, and its
 * waker cannot take the wake back.
 *
 * Progress. A virtual thread pushes without a lock, so none can lose its carrier while a worker waits for it.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // head is written under the lock
final class InjectQueue implements LocalRunQueue.Overflow<QueueItem> {
  private static final VarHandle TAIL =
      Fields.of(MethodHandles.lookup(), Segment.class, "tail", int.class);
  private static final VarHandle NEXT =
      Fields.of(MethodHandles.lookup(), Segment.class, "next", Segment.class);
  private static final VarHandle TAIL_SEGMENT =
      Fields.of(MethodHandles.lookup(), "tailSegment", Segment.class);
  private static final VarHandle LOCKED = Fields.of(MethodHandles.lookup(), "locked", int.class);

  private static final int CLOSED = Integer.MIN_VALUE;

  private static final class Segment {
    /** The position in the queue of the first item. */
    final long base;

    final @Nullable QueueItem[] items;

    /** How many indices are claimed; with {@link #CLOSED} no more will be. */
    volatile int tail;

    volatile @Nullable Segment next;

    Segment(long base, int size) {
      this.base = base;
      this.items = new QueueItem[size];
    }

    int claimed() {
      return tail & ~CLOSED;
    }
  }

  private volatile Segment tailSegment;
  private Segment headSegment;
  private volatile long head;

  @SuppressWarnings("UnusedVariable") // also through LOCKED
  private volatile int locked;

  InjectQueue() {
    this(SchedulerTuning.INJECT_SEGMENT);
  }

  /** {@code segment}: how many tasks one segment holds. */
  InjectQueue(int segment) {
    headSegment = new Segment(0, segment);
    tailSegment = headSegment;
  }

  /** False when the queue is closed; the task has not been taken. */
  boolean push(QueueItem task) {
    for (; ; ) {
      Segment last = tailSegment;
      int t = last.tail;
      if (t < 0) {
        return false;
      }
      if (t == last.items.length) {
        append(last);
      } else if (TAIL.compareAndSet(last, t, t + 1)) {
        last.items[t] = task; // nothing may come between: the index is claimed
        if (t >= last.items.length / 2 && last.next == null) {
          try {
            next(last);
          } catch (OutOfMemoryError | StackOverflowError e) {
            // The task is in: nothing has failed. The next pushes try again.
          }
        }
        return true;
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void append(Segment last) {
    TAIL_SEGMENT.compareAndSet(this, last, next(last));
  }

  private static Segment next(Segment s) {
    Segment next;
    while ((next = s.next) == null) {
      NEXT.compareAndSet(s, null, new Segment(s.base + s.items.length, s.items.length));
    }
    return next;
  }

  /** Makes the segments for so many tasks, and one for what others push meanwhile. */
  @Override
  public void reserve(int count) {
    Segment s = tailSegment;
    int room = s.items.length - s.claimed();
    while (room < count) {
      s = next(s);
      room += s.items.length;
    }
    if (count > 1) {
      next(s);
    }
  }

  /**
   * Takes a batch. A worker that outlives the close may overflow when the queue is closed: nobody
   * else would end these tasks.
   */
  @Override
  public void overflow(List<@Nullable QueueItem> tasks, int count) {
    for (int i = 0; i < count; i++) {
      QueueItem task = tasks.get(i);
      if (task != null && !push(task)) {
        Abandoning.abandon(task);
      }
    }
  }

  /**
   * Takes up to {@code max} tasks: the first is returned, the others go into {@code ring}, which
   * the caller owns and which has room for them.
   *
   * @return null if there is none, or if the producer of the oldest has not quite done
   */
  @Nullable QueueItem popInto(LocalRunQueue<QueueItem> ring, int max) {
    if (length() == 0) {
      return null;
    }
    lock();
    try {
      QueueItem first = peek();
      if (first == null) {
        return null;
      }
      Segment from = headSegment;
      int begin = (int) (head - from.base);
      int end = Math.min(from.claimed(), begin + max); // what is in the next segment waits
      int n = 1;
      for (QueueItem t; begin + n < end && (t = from.items[begin + n]) != null; n++) {
        ring.putUnpublished(n - 1, t);
      }
      if (n > 1) {
        ring.publish(n - 1);
      }
      for (int i = 0; i < n; i++) {
        from.items[begin + i] = null;
      }
      head = head + n;
      return first;
    } finally {
      locked = 0;
    }
  }

  /** Takes one task; waits for one that is being pushed. */
  @Nullable QueueItem pop() {
    for (; ; ) {
      lock();
      try {
        QueueItem task = peek();
        if (task != null) {
          headSegment.items[(int) (head - headSegment.base)] = null;
          head = head + 1;
          return task;
        }
      } finally {
        locked = 0;
      }
      if (length() == 0) {
        return null;
      }
      Thread.onSpinWait();
    }
  }

  /** Under the lock: the task at the head, which stays there, or null. */
  private @Nullable QueueItem peek() {
    Segment s = headSegment;
    int i = (int) (head - s.base);
    if (i == s.items.length) {
      Segment next = s.next;
      if (next == null) {
        return null;
      }
      headSegment = next;
      s = next;
      i = 0;
    }
    return i < s.claimed() ? s.items[i] : null;
  }

  /** Accepts nothing more; what is here can still be taken out. */
  void close() {
    for (; ; ) {
      Segment last = tailSegment;
      int t = last.tail;
      if (t == last.items.length) {
        append(last); // so that nobody else does, and pushes there
      } else if (t < 0 || TAIL.compareAndSet(last, t, t | CLOSED)) {
        return;
      }
    }
  }

  boolean isClosed() {
    return tailSegment.tail < 0;
  }

  /**
   * How many tasks wait, those that are just being pushed included. Never too few; too many beside
   * those who take some out.
   */
  int length() {
    long from = head; // first: whatever is taken out meanwhile, none is missed
    Segment last = tailSegment;
    return (int) Math.min(Integer.MAX_VALUE, last.base + last.claimed() - from);
  }

  @SuppressWarnings("ThreadPriorityCheck") // the holder may need this very processor
  private void lock() {
    for (int looks = 0; !LOCKED.compareAndSet(this, 0, 1); looks++) {
      if (looks < SchedulerTuning.INJECT_LOOKS) {
        Thread.onSpinWait();
      } else {
        looks = 0;
        Thread.yield();
      }
    }
  }
}
