package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * Wakes that could not be carried out, because a stack was used up in the middle of an operation
 * that had taken place already. Somebody with more stack has to come by: the workers between two
 * ticks, overseers, and threads that are about to park. So what a task or a waiting thread owes is
 * done before it sleeps, and what any other thread owes as long as some worker is awake.
 *
 * <p>{@code settler} is set once, by the class initialiser of whoever may owe something, and read
 * by all, in volatile mode: it is complete when it is seen.
 */
public final class Debts {
  private static volatile @Nullable Runnable settler;

  private Debts() {}

  /** What looks for debts, and settles them. */
  public static void settledBy(Runnable look) {
    settler = look;
  }

  /** Does what is owed, if anything is. */
  public static void settle() {
    Runnable look = settler;
    if (look != null) {
      look.run();
    }
  }
}
