package dev.blitz.parallel.internal;

/** Rethrows what another thread threw, with the type its declaration already promised. */
public final class Throwing {
  private Throwing() {}

  /**
   * Throws {@code failure} without wrapping it. Callers declare {@code throws X} for the very
   * {@code X} that the failed computation declares, which keeps this honest.
   *
   * @param failure what to throw
   * @return never; for use in a {@code throw} statement
   * @param <X> the declared type
   * @throws X always
   */
  @SuppressWarnings("unchecked") // erased: the cast is what makes the throw possible
  public static <X extends Throwable> RuntimeException sneaky(Throwable failure) throws X {
    throw (X) failure;
  }

  /**
   * Adds {@code later} to {@code first} unless they are one. At most {@link Tuning#MAX_SUPPRESSED}
   * failures are kept below one, those of its suppressed ones included; the others are counted in a
   * {@link DroppedFailures}. Never throws: whoever reports a failure still has to end its job, and
   * without memory for the list the first failure must do.
   *
   * <p>The caller orders calls for one {@code first}.
   *
   * @param first the failure that wins
   * @param later the failure that lost
   */
  @SuppressWarnings("ReferenceEquality") // a throwable cannot suppress itself
  public static void suppress(Throwable first, Throwable later) {
    if (first == later) {
      return;
    }
    try {
      int room = Tuning.MAX_SUPPRESSED - kept(first, Tuning.MAX_SUPPRESSED);
      if (kept(later, room) + 1 <= room) {
        first.addSuppressed(later);
      } else {
        drop(first, 1 + total(later));
      }
    } catch (VirtualMachineError full) {
      // No room to remember it.
    }
  }

  /** How many failures hang below this one; counts no further than a little above the limit. */
  private static int kept(Throwable failure, int limit) {
    int sum = 0;
    for (Throwable below : failure.getSuppressed()) {
      if (sum > limit) {
        return sum;
      }
      if (!(below instanceof DroppedFailures)) {
        sum += 1 + kept(below, limit - sum - 1);
      }
    }
    return sum;
  }

  /** All failures below this one, the dropped included, as far as they were counted by us. */
  private static long total(Throwable failure) {
    long dropped = 0;
    for (Throwable below : failure.getSuppressed()) {
      if (below instanceof DroppedFailures already) {
        dropped += already.count();
      }
    }
    return dropped + kept(failure, Tuning.MAX_SUPPRESSED);
  }

  private static void drop(Throwable first, long count) {
    for (Throwable below : first.getSuppressed()) {
      if (below instanceof DroppedFailures already) {
        already.add(count);
        return;
      }
    }
    first.addSuppressed(new DroppedFailures(count));
  }

  /**
   * Errors of the JVM itself, after which a join starts nothing new.
   *
   * @param failure what was thrown
   * @return whether it is one
   */
  static boolean isFatal(Throwable failure) {
    return failure instanceof VirtualMachineError;
  }
}
