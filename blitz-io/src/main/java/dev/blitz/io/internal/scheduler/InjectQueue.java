package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.PinnedLock;
import dev.blitz.io.internal.task.QueueItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue for tasks that come from outside the workers, and for what overflows their rings. FIFO,
 * unbounded, linked through the tasks themselves; a lock guards it, its length can be read without.
 */
/* Implementation notes
 *
 * length is written under the lock in volatile mode: a producer writes it before it looks at the idle
 * state, a worker that goes to sleep reads it after it has announced itself, so one sees the other.
 * After close() nothing is accepted: a task pushed too late is the pusher's to end.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // length is written under the lock
final class InjectQueue implements LocalRunQueue.Overflow<QueueItem> {
  private final PinnedLock lock = new PinnedLock();
  private @Nullable QueueItem first;
  private @Nullable QueueItem last;
  private boolean closed;
  private volatile int length;

  /** False when the queue is closed; the task has not been taken. */
  boolean push(QueueItem task) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      append(task);
      length = length + 1;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a batch in one go. Workers overflow only while the queue is open. */
  @Override
  public void overflow(List<@Nullable QueueItem> tasks, int count) {
    lock.lock();
    try {
      int taken = 0;
      for (int i = 0; i < count; i++) {
        QueueItem task = tasks.get(i);
        if (task != null) {
          append(task);
          taken++;
        }
      }
      length = length + taken;
    } finally {
      lock.unlock();
    }
  }

  private void append(QueueItem task) {
    if (last == null) {
      first = task;
    } else {
      last.setQueueNext(task);
    }
    last = task;
  }

  /**
   * Takes up to {@code max} tasks: the first is returned, the others go into {@code ring}, which
   * the caller owns and which has room for them.
   */
  @Nullable QueueItem popInto(LocalRunQueue<QueueItem> ring, int max) {
    if (length == 0) {
      return null;
    }
    QueueItem head;
    int n = 0;
    lock.lock();
    try {
      head = first;
      QueueItem end = null;
      for (QueueItem t = head; t != null && n < max; t = t.queueNext()) {
        end = t;
        n++;
      }
      if (head == null || end == null) {
        return null;
      }
      first = end.queueNext();
      end.setQueueNext(null);
      if (first == null) {
        last = null;
      }
      length = length - n;
    } finally {
      lock.unlock();
    }
    // The chain is private now.
    QueueItem rest = head.queueNext();
    head.setQueueNext(null);
    int moved = 0;
    while (rest != null) {
      QueueItem next = rest.queueNext();
      rest.setQueueNext(null);
      ring.putUnpublished(moved++, rest);
      rest = next;
    }
    if (moved > 0) {
      ring.publish(moved);
    }
    return head;
  }

  /** Takes one task. */
  @Nullable QueueItem pop() {
    lock.lock();
    try {
      QueueItem task = first;
      if (task != null) {
        first = task.queueNext();
        task.setQueueNext(null);
        if (first == null) {
          last = null;
        }
        length = length - 1;
      }
      return task;
    } finally {
      lock.unlock();
    }
  }

  /** Accepts nothing more. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  int length() {
    return length;
  }
}
