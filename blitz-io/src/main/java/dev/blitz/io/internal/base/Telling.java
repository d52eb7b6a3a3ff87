package dev.blitz.io.internal.base;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Speaks of users' objects. Their {@code toString}, {@code getMessage} and {@code getCause} may
 * throw anything; telling about a failure never fails for that.
 */
public final class Telling {
  /**
   * How many exceptions we add to one of a user's. It may be a constant that is thrown again and
   * again; without a bound it would keep all that ever went wrong beside it.
   */
  private static final int MOST_SUPPRESSED = 16;

  /** Causes are followed so far: a chain may be a circle. */
  private static final int MOST_CAUSES = 32;

  private Telling() {}

  /** What {@code object} says of itself, or its class if it cannot. */
  public static String of(Object object) {
    try {
      return object.toString();
    } catch (Throwable t) {
      return object.getClass().getName() + " (whose toString threw " + t.getClass().getName() + ")";
    }
  }

  /** How messages call a thread; many virtual ones have no name. */
  public static String of(Thread thread) {
    String name = thread.getName();
    return "thread " + (name.isEmpty() ? "#" + thread.threadId() : name);
  }

  /** The cause; null if there is none or it cannot be told. */
  public static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable t) {
      return null;
    }
  }

  /** A test of one exception. */
  @FunctionalInterface
  public interface Test {
    /** Whether it is what is looked for. */
    boolean passes(Throwable t);
  }

  /** Whether {@code failure} or a cause of it passes. */
  public static boolean anyCause(Throwable failure, Test test) {
    int depth = 0;
    for (Throwable t = failure; t != null && depth < MOST_CAUSES; t = causeOf(t), depth++) {
      if (test.passes(t)) {
        return true;
      }
    }
    return false;
  }

  /** The failure inside {@link CompletionException}s, which CompletableFuture wraps around it. */
  public static Throwable unwrapped(Throwable failure) {
    Throwable t = failure;
    for (int depth = 0; t instanceof CompletionException && depth < MOST_CAUSES; depth++) {
      Throwable cause = causeOf(t);
      if (cause == null || cause == t) {
        return t;
      }
      t = cause;
    }
    return t;
  }

  /** {@code failure} for callers that declare nothing checked. */
  public static RuntimeException unchecked(Throwable failure) {
    return failure instanceof RuntimeException r
        ? r
        : new CompletionException(of(failure), failure);
  }

  /**
   * {@code failure} for callers that declare nothing checked but an IOException; what is unchecked
   * is thrown here.
   */
  public static IOException io(Exception failure) {
    if (failure instanceof RuntimeException r) {
      throw r;
    }
    return failure instanceof IOException io ? io : new IOException(of(failure), failure);
  }

  /**
   * Adds {@code second} to the suppressed exceptions of {@code first}, within bounds.
   *
   * @return false if there was no room: {@code second} has not been told to anybody
   */
  public static boolean suppress(Throwable first, Throwable second) {
    if (first == second) {
      return true; // nothing may suppress itself
    }
    if (first.getSuppressed().length >= MOST_SUPPRESSED) {
      return false;
    }
    first.addSuppressed(second);
    return true;
  }

  /** A lambda's class name begins with the class that wrote it: that is what a reader needs. */
  public static String site(Object function) {
    String name = function.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : "in " + name.substring(0, lambda);
  }
}
