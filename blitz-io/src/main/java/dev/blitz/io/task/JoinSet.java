package dev.blitz.io.task;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in the order in which they end, whatever spawned them.
 *
 * {@snippet :
 * try (TaskScope scope = TaskScope.open(ScopePolicy.limit(16))) {
 *   JoinSet<Page> pages = JoinSet.create();
 *   urls.forEach(url -> pages.add(scope.spawn(() -> fetch(url))));
 *   for (JoinHandle<Page> page : pages) { // the fastest first
 *     show(page.get());
 *   }
 *   scope.join();
 * }
 * }
 *
 * <p>Thread safe; any number may wait. Each task comes out once. The set owns no task: dropping a
 * wait, or the set, leaves them alone.
 */
/* Implementation notes
 *
 * Everything is guarded by `lock`. A task is counted in `running` before its end can be told; the end moves it to
 * `ended` and wakes all who wait, since those whose turn it is not go back to waiting by themselves.
 */
public final class JoinSet<T> implements Iterable<JoinHandle<T>> {
  private final PinnedLock lock = new PinnedLock();
  private final LinkList ended = new LinkList();
  private final LinkList waiting = new LinkList();
  private int running;

  private JoinSet() {}

  /** An empty set. */
  public static <T> JoinSet<T> create() {
    return new JoinSet<>();
  }

  /**
   * Adds a task, which may have ended.
   *
   * @return the same task
   * @throws IllegalArgumentException if the handle is not one of Blitz
   */
  public JoinHandle<T> add(JoinHandle<T> task) {
    JoinCell<T> cell = JoinCell.of(task);
    var member = new Member<>(this, task);
    StackRoom.forMany(); // from the count to its end
    lock.lock();
    try {
      running++;
    } finally {
      lock.unlock();
    }
    boolean running;
    try {
      running = cell.wakeAtEnd(member);
    } catch (Throwable t) {
      forget(member);
      throw t;
    }
    if (!running) {
      member.wake();
    }
    return task;
  }

  /** How many tasks have not come out yet. */
  public int size() {
    lock.lock();
    try {
      return running + count(ended);
    } finally {
      lock.unlock();
    }
  }

  private static int count(LinkList list) {
    int n = 0;
    for (Link l = list.first(); l != null; l = l.following()) {
      n++;
    }
    return n;
  }

  /** The next task to end, however it does; nothing if none is left. A dropped wait loses none. */
  @CheckReturnValue
  public UncheckedFuture<Optional<JoinHandle<T>>> next() {
    return new Next<>(this);
  }

  /** The tasks as they end, each waited for on the calling thread, until none is left. */
  @Override
  public Iterator<JoinHandle<T>> iterator() {
    return new Iterator<>() {
      private @Nullable JoinHandle<T> ready;

      @Override
      public boolean hasNext() {
        if (ready == null) {
          ready = JoinSet.this.next().await().orElse(null);
        }
        return ready != null;
      }

      @Override
      public JoinHandle<T> next() {
        JoinHandle<T> task = hasNext() ? ready : null;
        if (task == null) {
          throw new NoSuchElementException();
        }
        ready = null;
        return task;
      }
    };
  }

  private void ended(Member<T> member) {
    lock.lock();
    try {
      if (member.told) {
        return;
      }
      member.told = true;
      running--;
      ended.add(member);
    } finally {
      lock.unlock();
    }
    wakeWaiting();
  }

  /** Takes back an add that has failed. */
  private void forget(Member<T> member) {
    lock.lock();
    try {
      if (!member.told) {
        member.told = true;
        running--;
      }
    } finally {
      lock.unlock();
    }
    wakeWaiting(); // it may have been the last
  }

  /** One by one: for a list of them there may be no memory, and an end would be told to nobody. */
  private void wakeWaiting() {
    for (Waker waiter = takeWaiting(); waiter != null; waiter = takeWaiting()) {
      SafeCalls.wake(waiter);
    }
  }

  /** One who waits, if there is something to learn. */
  private @Nullable Waker takeWaiting() {
    lock.lock();
    try {
      boolean something = running == 0 || ended.first() != null;
      return something && waiting.takeFirst() instanceof Next<?> next ? next.waker : null;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("NullableOptional") // null: look again later; empty: there will be none
  private @Nullable Optional<JoinHandle<T>> take(Next<T> waiter, Waker waker) {
    StackRoom.forCalls(); // also to wake the others
    Optional<JoinHandle<T>> taken = Optional.empty();
    boolean last = false;
    lock.lock();
    try {
      @SuppressWarnings("unchecked") // only members are there
      var first = (@Nullable Member<T>) ended.first();
      if (first != null) {
        taken = Optional.of(first.task); // first: there may be no memory, and it would be lost
        ended.remove(first);
        waiting.remove(waiter);
        last = running == 0;
      } else if (running > 0) {
        waiter.waker = waker;
        if (!waiter.isLinked()) {
          waiting.add(waiter);
        }
        return null;
      }
    } finally {
      lock.unlock();
    }
    if (last) {
      wakeWaiting(); // they hear that nothing is left
    }
    return taken;
  }

  private void stopWaiting(Next<T> waiter) {
    lock.lock();
    try {
      waiting.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "JoinSet[" + size() + "]";
  }

  /** A task of the set; in its list of those that have ended. */
  private static final class Member<T> extends Link implements Waker {
    private final JoinSet<T> set;
    private final JoinHandle<T> task;
    private boolean told;

    Member(JoinSet<T> set, JoinHandle<T> task) {
      this.set = set;
      this.task = task;
    }

    @Override
    public void wake() {
      set.ended(this);
    }

    @Override
    public String toString() {
      return "a set of tasks";
    }
  }

  /** {@link JoinSet#next}; in the set's list while pending. */
  private static final class Next<T> extends Link
      implements UncheckedFuture<Optional<JoinHandle<T>>> {
    private final JoinSet<T> set;
    private @Nullable Waker waker;

    Next(JoinSet<T> set) {
      this.set = set;
    }

    @Override
    @SuppressWarnings("NullableOptional") // null is what a pending future yields
    public @Nullable Optional<JoinHandle<T>> poll(Context cx) {
      return set.take(this, cx.waker());
    }

    @Override
    public void drop() {
      set.stopWaiting(this);
    }

    @Override
    public String toString() {
      return "the next of " + set.size() + " tasks to end";
    }
  }
}
