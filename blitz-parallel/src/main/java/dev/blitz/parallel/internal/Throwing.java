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
   * Adds {@code later} to {@code first} unless they are one. Never throws: whoever reports a
   * failure still has to end its job, and without memory for the list the first failure must do.
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
      first.addSuppressed(later);
    } catch (VirtualMachineError full) {
      // No room to remember it.
    }
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
