package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One level of a {@link ForkStack}; made once, reused for ever.
 *
 * <p>{@code work} is the user's own object (a lambda, or the entry of a recursive job) while the
 * fork is private, and a {@link SharedFork} once it is shared. The owner writes it plainly in the
 * first case and with release in the second; thieves read it with acquire and act only on a {@link
 * SharedFork}.
 */
final class Frame {
  private static final VarHandle WORK = Fields.of(MethodHandles.lookup(), "work", Object.class);

  @Nullable Object work;

  /** The argument of a recursive job whose argument is a number. */
  long number;

  /** The argument of a recursive job whose argument is an object. */
  @Nullable Object argument;

  @Nullable SharedFork sharedAcquire() {
    return WORK.getAcquire(this) instanceof SharedFork fork ? fork : null;
  }

  void shareRelease(SharedFork fork) {
    WORK.setRelease(this, fork);
  }

  /** Forgets user objects; false when there was nothing to forget. */
  boolean clear() {
    if (work == null && argument == null) {
      return false;
    }
    work = null;
    argument = null;
    return true;
  }
}
