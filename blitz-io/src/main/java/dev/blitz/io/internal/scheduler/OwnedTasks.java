package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.TaskCell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that have been idle at least once, so that closing and dumping find those that are in
 * no queue. A task that ends in its first poll is never here and costs nothing.
 *
 * <p>Doubly linked through the tasks, in shards with a lock each. Adding to a closed list cancels
 * the task: it is still running then, so its worker drops it.
 */
final class OwnedTasks {
  /** What all of them can be told, without memory for a list of them: to end soon. */
  private static final int CANCEL = 0;

  /** To be polled, or dropped if they are cancelled. */
  private static final int WAKE = 1;

  private static final class Shard extends PinnedLock {
    private static final long serialVersionUID = 1L;
    transient @Nullable TaskCell<?> first;

    /** Who is told next, by what they are told. */
    final transient @Nullable TaskCell<?>[] next = new TaskCell<?>[2];

    boolean closed;

    void begin(int news) {
      lock();
      try {
        next[news] = first;
      } finally {
        unlock();
      }
    }

    @Nullable TaskCell<?> takeNext(int news) {
      lock();
      try {
        TaskCell<?> task = next[news];
        if (task != null) {
          next[news] = task.ownedNext;
        }
        return task;
      } finally {
        unlock();
      }
    }
  }

  private final Shard[] shards;

  OwnedTasks(int workers) {
    shards = new Shard[Integer.highestOneBit(Math.max(1, workers)) * 4];
    for (int i = 0; i < shards.length; i++) {
      shards[i] = new Shard();
    }
  }

  void add(TaskCell<?> task) {
    task.ownedShard = (short) (Thread.currentThread().threadId() & (shards.length - 1));
    Shard shard = shards[task.ownedShard];
    boolean closed;
    shard.lock();
    try {
      TaskCell<?> first = shard.first;
      task.ownedNext = first;
      if (first != null) {
        first.ownedPrev = task;
      }
      shard.first = task;
      closed = shard.closed;
    } finally {
      shard.unlock();
    }
    if (closed) {
      task.cancel();
    }
  }

  void remove(TaskCell<?> task) {
    Shard shard = shards[task.ownedShard];
    shard.lock();
    try {
      TaskCell<?> prev = task.ownedPrev;
      TaskCell<?> next = task.ownedNext;
      for (int i = 0; i < shard.next.length; i++) {
        if (shard.next[i] == task) {
          shard.next[i] = next;
        }
      }
      if (prev == null) {
        shard.first = next;
      } else {
        prev.ownedNext = next;
      }
      if (next != null) {
        next.ownedPrev = prev;
      }
      task.ownedPrev = null;
      task.ownedNext = null;
    } finally {
      shard.unlock();
    }
  }

  /** Cancels all, now and in future. */
  void close() {
    for (Shard shard : shards) {
      shard.lock();
      try {
        shard.closed = true;
      } finally {
        shard.unlock();
      }
    }
    tellAll(CANCEL);
  }

  /** Wakes all that are here now. */
  void wakeAll() {
    tellAll(WAKE);
  }

  /**
   * Takes no memory: a runtime may be closing because there is none. Who does the same at the same
   * time begins anew, and then both take the next one in turn.
   */
  private void tellAll(int news) {
    for (Shard shard : shards) {
      shard.begin(news);
      for (TaskCell<?> t = shard.takeNext(news); t != null; t = shard.takeNext(news)) {
        try {
          if (news == CANCEL) {
            t.cancel();
          } else {
            t.wake();
          }
        } catch (Throwable e) {
          Uncaught.report("a task that is told of the end of its runtime", e); // the others too
        }
      }
    }
  }

  /** Calls {@code action} for each task that is here now, outside the locks. */
  void forEach(Consumer<TaskCell<?>> action) {
    for (Shard shard : shards) {
      List<TaskCell<?>> snapshot = new ArrayList<>();
      shard.lock();
      try {
        for (TaskCell<?> t = shard.first; t != null; t = t.ownedNext) {
          snapshot.add(t);
        }
      } finally {
        shard.unlock();
      }
      snapshot.forEach(action);
    }
  }
}
