package dev.blitz.io.internal.current;

import org.jspecify.annotations.Nullable;

/**
 * The task-locals in force: an immutable list, innermost first. A snapshot is a reference to it.
 *
 * <p>Each thread has its own current list: threads of a runtime and direct tasks in a field, others
 * in a thread-local that is not touched before the first binding on such a thread. No access is
 * shared.
 */
public final class Bindings {
  private static final ThreadLocal<@Nullable Bindings> ELSEWHERE = new ThreadLocal<>();

  /** Whether some thread outside all runtimes has ever bound something; only ever set. */
  private static volatile boolean usedElsewhere;

  private final Object local;
  private final Object value;
  private final @Nullable Bindings outer;

  /** {@code outer} with one more binding, which hides an older one of the same task-local. */
  public Bindings(Object local, Object value, @Nullable Bindings outer) {
    this.local = local;
    this.value = value;
    this.outer = outer;
  }

  /** What this list was made from. */
  public @Nullable Bindings outer() {
    return outer;
  }

  /** The value in force for {@code local} on this thread, or null. */
  public static @Nullable Object find(Object local) {
    for (Bindings b = current(); b != null; b = b.outer) {
      if (b.local == local) {
        return b.value;
      }
    }
    return null;
  }

  /** What is in force on the calling thread. */
  public static @Nullable Bindings current() {
    Inside here = Current.here();
    if (here != null) {
      return here.bindings();
    }
    // The look first: asking a thread-local makes a map for the thread.
    return usedElsewhere ? ELSEWHERE.get() : null;
  }

  /** Puts {@code next} in force on the calling thread, which must put back what it gets. */
  public static @Nullable Bindings swap(@Nullable Bindings next) {
    Inside here = Current.here();
    if (here != null) {
      Bindings before = here.bindings();
      here.setBindings(next);
      return before;
    }
    usedElsewhere = true;
    Bindings before = ELSEWHERE.get();
    if (next == null) {
      ELSEWHERE.remove();
    } else {
      ELSEWHERE.set(next);
    }
    return before;
  }
}
