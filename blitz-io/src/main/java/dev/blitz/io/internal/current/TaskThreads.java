package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.CarrierAccess;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads of a runtime's direct tasks, as thread dumps list them. */
public final class TaskThreads {
  private final String name;
  private final Consumer<Consumer<Thread>> tasks;
  private final @Nullable Object listing;
  private final Set<Thread> orphans = ConcurrentHashMap.newKeySet();

  /**
   * {@code name} is for threads without one of their own; {@code tasks} tells the threads of those
   * tasks that have begun.
   */
  public TaskThreads(String runtimeName, String name, Consumer<Consumer<Thread>> tasks) {
    this.name = name;
    this.tasks = tasks;
    this.listing = CarrierAccess.newListing(runtimeName, this::alive);
  }

  /** What those are called that have no name of their own. */
  public String name() {
    return name;
  }

  /** What they are started in; null for where the JDK puts them. */
  public @Nullable Object listing() {
    return listing;
  }

  /** A close has given up a task whose thread lives on. */
  public void addOrphan(Thread thread) {
    orphans.add(thread);
  }

  private Stream<Thread> alive() {
    Set<Thread> found = new LinkedHashSet<>(orphans);
    tasks.accept(found::add);
    return found.stream().filter(Thread::isAlive);
  }
}
