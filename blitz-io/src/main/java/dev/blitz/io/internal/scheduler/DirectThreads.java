package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.direct.DirectCell;
import dev.blitz.io.internal.task.TaskCell;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads of a runtime's direct tasks, as thread dumps list them. */
final class DirectThreads {
  private final Scheduler scheduler;
  private final OwnedTasks owned;
  private final @Nullable Object listing;
  private final Set<Thread> orphans = ConcurrentHashMap.newKeySet();

  DirectThreads(Scheduler scheduler, OwnedTasks owned, String name) {
    this.scheduler = scheduler;
    this.owned = owned;
    this.listing = CarrierAccess.newListing(name, this::alive);
  }

  /** What they are started in; null for where the JDK puts them. */
  @Nullable Object listing() {
    return listing;
  }

  /** A close has given up a task whose thread lives on. */
  void addOrphan(Thread thread) {
    orphans.add(thread);
  }

  /** Those that have been suspended, those in their first poll, and the orphans. */
  private Stream<Thread> alive() {
    Set<Thread> found = new LinkedHashSet<>(orphans);
    owned.forEach(task -> add(task, found));
    for (Worker w : scheduler.workers()) {
      add(w.context().peekTask(), found);
    }
    for (WorkerThread t : scheduler.threads().spares().withoutWorker()) {
      add(t.peekTask(), found); // it blocks in place
    }
    return found.stream().filter(Thread::isAlive);
  }

  private static void add(@Nullable TaskCell<?> task, Set<Thread> found) {
    Thread thread = task instanceof DirectCell<?> direct ? direct.thread() : null;
    if (thread != null) {
      found.add(thread);
    }
  }
}
