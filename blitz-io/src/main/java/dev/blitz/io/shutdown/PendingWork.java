package dev.blitz.io.shutdown;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.wait.WaitFuture;
import dev.blitz.io.internal.wait.Waiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a drain waits for. Thread safe. */
/* Implementation notes
 *
 * `idlers` is the lock of everything here. An entry is in `entries` from add to end. Whoever takes the last one out
 * settles those who wait, and wakes them after the lock.
 *
 *   add     refused once `over`; once `cut` the entry goes in and the caller cancels it
 *   end     takes out; again does nothing
 *   cut     sets `cut` and takes a copy under the lock, then looks at each entry, then cancels each: looking comes
 *           first, or all would be seen on their way out
 */
final class PendingWork {
  private final LinkList idlers = new LinkList();
  private final LinkList entries = new LinkList();
  private boolean cut;
  private boolean over;

  /** Something that has begun and will end. */
  abstract static sealed class Entry extends Link permits GuardedWork, TrackedTask {
    private final PendingWork work;

    Entry(PendingWork work) {
      this.work = work;
    }

    final void end() {
      work.end(this);
    }

    /** Asks it to end at once. */
    abstract void cancel();

    /** The task whose whereabouts tell where it is; null if it is no task. */
    abstract @Nullable JoinCell<?> task();

    /** Who it is and where, by what was seen of tasks; a line for each. */
    abstract List<String> describe(Map<Object, String> seen);
  }

  /** How {@link #add} went. */
  enum Added {
    YES,
    /** It is in, but must be cancelled. */
    TOO_LATE,
    /** It is not in: nobody waits any more. */
    NO
  }

  Added add(Entry entry) {
    idlers.lock();
    try {
      if (over) {
        return Added.NO;
      }
      entries.add(entry);
      return cut ? Added.TOO_LATE : Added.YES;
    } finally {
      idlers.unlock();
    }
  }

  private void end(Entry entry) {
    StackRoom.forCalls();
    Link toWake = null;
    idlers.lock();
    try {
      if (entries.remove(entry) && entries.isEmpty()) {
        toWake = idlers.takeAll();
        for (Link l = toWake; l != null; l = l.following()) {
          ((Idle) l).settle(Idle.THERE);
        }
      }
    } finally {
      idlers.unlock();
    }
    Waiter.wakeAll(toWake);
  }

  /** Nothing can be added any more. */
  void finish() {
    idlers.lock();
    try {
      over = true;
    } finally {
      idlers.unlock();
    }
  }

  boolean isIdle() {
    idlers.lock();
    try {
      return entries.isEmpty();
    } finally {
      idlers.unlock();
    }
  }

  /** Ends when nothing is pending. */
  UncheckedFuture<Done> idle() {
    return new Idle(this);
  }

  /** Whether {@code task} is one of those that are waited for. */
  boolean contains(JoinCell<?> task) {
    return snapshot(false).stream().anyMatch(e -> e.task() == task);
  }

  /** Who is pending, and where. */
  List<String> describe() {
    return describe(snapshot(false));
  }

  /**
   * Cancels all, also those that come later.
   *
   * @param note told who they are, and where, before any is cancelled
   */
  void cut(Consumer<List<String>> note) {
    List<Entry> all = snapshot(true);
    try {
      note.accept(describe(all));
    } finally {
      all.forEach(Entry::cancel);
    }
  }

  private List<Entry> snapshot(boolean cutToo) {
    List<Entry> all = new ArrayList<>();
    idlers.lock();
    try {
      cut |= cutToo;
      for (Link l = entries.first(); l != null; l = l.following()) {
        all.add((Entry) l);
      }
    } finally {
      idlers.unlock();
    }
    return all;
  }

  private static List<String> describe(List<Entry> all) {
    Set<Object> runtimes = new HashSet<>();
    Map<Object, String> seen = new HashMap<>();
    for (Entry entry : all) {
      JoinCell<?> task = entry.task();
      if (task != null && runtimes.add(task.runtimeApi())) {
        seen.putAll(((Services) task.runtimeApi()).describeTasks());
      }
    }
    List<String> lines = new ArrayList<>();
    all.forEach(e -> lines.addAll(e.describe(seen)));
    return lines;
  }

  /** {@link #idle}. */
  private static final class Idle extends WaitFuture<Done> {
    static final byte THERE = 1;

    private final PendingWork work;

    Idle(PendingWork work) {
      super(work.idlers);
      this.work = work;
    }

    @Override
    protected byte join(Waker waker) {
      work.idlers.lock();
      try {
        if (work.entries.isEmpty()) {
          return THERE;
        }
        enter(work.idlers, waker);
        return UNSETTLED;
      } finally {
        work.idlers.unlock();
      }
    }

    @Override
    protected Done end(byte outcome) {
      return Done.DONE;
    }

    @Override
    protected void leave() {
      work.idlers.lock();
      try {
        leave(work.idlers);
      } finally {
        work.idlers.unlock();
      }
    }

    @Override
    public String toString() {
      return "the end of work that is tracked";
    }
  }
}
