package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * Wakes that could not be carried out, because a stack was used up in the middle of an operation
 * that had taken place already. Somebody with more stack has to come by: the workers between two
 * ticks, overseers, and threads that are about to park. So what a task or a waiting thread owes is
 * done before it sleeps, and what any other thread owes as long as some worker is awake.
 *
 * <p>{@code payer} is set once, by the class initialiser of whoever may owe something, and read by
 * all, in volatile mode: it is complete when it is seen.
 */
public final class Debts {
  private static volatile @Nullable Runnable payer;

  private Debts() {}

  /** What looks for debts, and pays them. */
  public static void payBy(Runnable look) {
    payer = look;
  }

  /** Does what is owed, if anything is. */
  public static void pay() {
    Runnable look = payer;
    if (look != null) {
      look.run();
    }
  }
}
