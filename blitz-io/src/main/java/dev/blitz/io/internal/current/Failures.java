package dev.blitz.io.internal.current;

import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.UncaughtHandler;
import org.jspecify.annotations.Nullable;

/** Where a runtime's failures go that have no owner. Thread safe. */
public final class Failures {
  private final UncaughtHandler handler;
  private final FatalErrorPolicy policy;
  private final Runnable close;
  private final UnjoinedFailures unjoined;

  /**
   * {@code close} begins to close the runtime, once or often; {@code kept} is called when a failure
   * has been kept, of which somebody has to tell later.
   */
  public Failures(UncaughtHandler handler, FatalErrorPolicy policy, Runnable close, Runnable kept) {
    this.handler = handler;
    this.policy = policy;
    this.close = close;
    this.unjoined = new UnjoinedFailures(handler, kept);
    TaskFailure.prepare();
    Uncaught.prepare();
  }

  /** Those of tasks that nobody has joined yet. */
  public UnjoinedFailures unjoined() {
    return unjoined;
  }

  /** Whether the {@link FatalErrorPolicy} is about {@code t}. */
  public static boolean isFatal(@Nullable Throwable t) {
    return t instanceof VirtualMachineError && !(t instanceof StackOverflowError);
  }

  /** Tells the handler, and acts on an Error of the virtual machine as the policy says. */
  public void uncaught(String what, Throwable failure) {
    @Nullable Throwable second = null;
    try {
      second = Uncaught.tell(handler, what, failure);
    } finally { // whatever telling throws, with no memory left for it
      if (isFatal(failure) || isFatal(second)) {
        obeyPolicy();
      }
    }
  }

  /**
   * The same for a caller who has to go on: never throws, though there may be no memory to tell of
   * it.
   */
  public void tryUncaught(String what, Throwable failure) {
    try {
      uncaught(what, failure);
    } catch (Throwable untold) {
      // The caller goes on.
    }
  }

  /**
   * Tells the handler that a thread could not start, which the runtime has coped with: no case for
   * the policy, whatever class the JVM's error has. Never throws, and builds the text itself: there
   * may be no memory for that either.
   */
  public void notStarted(String thread, String consequence, Throwable failure) {
    try {
      Uncaught.tell(handler, "start of " + thread + consequence, failure);
    } catch (Throwable untold) {
      // The caller goes on, as it does without the thread.
    }
  }

  private void obeyPolicy() {
    switch (policy) {
      case FAIL_TASK -> {}
      case CLOSE_RUNTIME -> close.run();
      case HALT_JVM -> Runtime.getRuntime().halt(134);
    }
  }
}
