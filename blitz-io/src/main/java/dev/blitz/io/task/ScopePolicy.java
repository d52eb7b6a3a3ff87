package dev.blitz.io.task;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.policy.UncaughtHandler;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TaskScope} does about failures of its children, and how many of them run at once.
 *
 * {@snippet :
 * import static dev.blitz.io.task.ScopePolicy.*;
 *
 * try (var jobs = TaskScope.open(limit(64).and(failAfter(3)))) { // 64 at a time, until the third failure
 *   for (Job job : work) {
 *     jobs.spawn(() -> run(job));
 *   }
 *   jobs.join();
 * }
 * try (var connections = TaskScope.open(supervise(log::warn).and(limit(1000)))) {
 *   serve(connections); // a client that fails harms no other
 * }
 * }
 *
 * <p>A value, to be used for any number of scopes.
 */
public final class ScopePolicy {
  private enum Failures {
    /** Not said: the first failure cancels. */
    DEFAULT,
    COUNT,
    COLLECT,
    SUPERVISE
  }

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final Failures failures;
  private final int failAfter;
  private final int limit;
  private final @Nullable UncaughtHandler handler;
  private final @Nullable Backoff restart;
  private final List<ScopedValue<?>> passed;

  private ScopePolicy(
      Failures failures,
      int failAfter,
      int limit,
      @Nullable UncaughtHandler handler,
      @Nullable Backoff restart,
      List<ScopedValue<?>> passed) {
    this.failures = failures;
    this.failAfter = failAfter;
    this.limit = limit;
    this.handler = handler;
    this.restart = restart;
    this.passed = passed;
  }

  private ScopePolicy(Failures failures, int failAfter, int limit) {
    this(failures, failAfter, limit, null, null, List.of());
  }

  /** At most {@code children} run at once: a spawn waits until there is room for one more. */
  public static ScopePolicy limit(int children) {
    if (children < 1) {
      throw new IllegalArgumentException("a scope needs room for one child: " + children);
    }
    return new ScopePolicy(Failures.DEFAULT, 1, children);
  }

  /**
   * The {@code failures}-th failure of a child cancels the others and is thrown, with those before
   * it; fewer are put up with, and told by {@link TaskScope#failures()}. One is what a scope does
   * that was opened without a policy.
   */
  public static ScopePolicy failAfter(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("a scope cannot fail before a child has: " + failures);
    }
    return new ScopePolicy(Failures.COUNT, failures, NO_LIMIT);
  }

  /**
   * No failure disturbs the other children, and {@link TaskScope#outcomes()} tells how each ended.
   * Keeps all children that ever were.
   */
  public static ScopePolicy collect() {
    return new ScopePolicy(Failures.COLLECT, NO_LIMIT, NO_LIMIT);
  }

  /**
   * No failure disturbs the other children: {@code handler} is told of each, and nothing is kept of
   * a child that has ended. For servers.
   *
   * <p>The child keeps its place until the handler has returned: who waits for the scope finds it
   * told. The handler is called on the thread that ends the task, for a direct child as for a
   * stackless one a worker inside a poll: it must not wait.
   */
  public static ScopePolicy supervise(UncaughtHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return new ScopePolicy(Failures.SUPERVISE, NO_LIMIT, NO_LIMIT, handler, null, List.of());
  }

  /**
   * As {@link #supervise(UncaughtHandler)}, and a child that fails is called again after a pause,
   * in the same task; the handler is told on the child's own thread then. When {@code restart}
   * gives up, the child has failed for good. Cancellation and Errors are final. For direct and
   * blocking children; a future runs only once and is refused.
   */
  public static ScopePolicy supervise(UncaughtHandler handler, Backoff restart) {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(restart, "restart");
    return new ScopePolicy(Failures.SUPERVISE, NO_LIMIT, NO_LIMIT, handler, restart, List.of());
  }

  /**
   * The children see these scoped values as whoever opens the scope does, those that are bound
   * there: each child on its thread, a stackless one during its polls. The JDK lets nobody ask for
   * all that are bound, so they are named.
   *
   * {@snippet :
   * try (var scope = TaskScope.open(ScopePolicy.pass(USER, TRACE))) {
   *   scope.spawn(() -> audit(USER.get()));
   *   scope.join();
   * }
   * }
   */
  public static ScopePolicy pass(ScopedValue<?>... values) {
    return new ScopePolicy(Failures.DEFAULT, 1, NO_LIMIT, null, null, List.of(values));
  }

  /** The values that children are to see, as they are bound here; null if there are none. */
  ScopedValue.@Nullable Carrier bindings() {
    ScopedValue.Carrier carrier = null;
    for (ScopedValue<?> value : passed) {
      carrier = with(carrier, value);
    }
    return carrier;
  }

  private static <T> ScopedValue.@Nullable Carrier with(
      ScopedValue.@Nullable Carrier carrier, ScopedValue<T> value) {
    if (!value.isBound()) {
      return carrier;
    }
    T bound = value.get();
    return carrier == null ? ScopedValue.where(value, bound) : carrier.where(value, bound);
  }

  /**
   * Both, such as {@code supervise(log::warn).and(limit(1000))}.
   *
   * @throws IllegalArgumentException if both say what to do about failures, or have a limit
   */
  public ScopePolicy and(ScopePolicy other) {
    boolean mine = failures != Failures.DEFAULT;
    if ((mine && other.failures != Failures.DEFAULT)
        || (limit != NO_LIMIT && other.limit != NO_LIMIT)) {
      throw new IllegalArgumentException(this + " and " + other + " contradict each other");
    }
    ScopePolicy kind = mine ? this : other;
    return new ScopePolicy(
        kind.failures,
        kind.failAfter,
        Math.min(limit, other.limit),
        kind.handler,
        kind.restart,
        Stream.concat(passed.stream(), other.passed.stream()).distinct().toList());
  }

  int failAfter() {
    return failAfter;
  }

  int limit() {
    return limit;
  }

  boolean collects() {
    return failures == Failures.COLLECT;
  }

  boolean supervises() {
    return failures == Failures.SUPERVISE;
  }

  @Nullable Backoff restart() {
    return restart;
  }

  /** A supervised child has failed for good: the handler has seen it. */
  void tell(JoinCell<?> task, Throwable failure) {
    task.takeUnseenFailure();
    tell(task.name(), failure);
  }

  /** Tells the handler of a failure; what it throws itself reaches the uncaught handler. */
  void tell(String what, Throwable failure) {
    try {
      Objects.requireNonNull(handler).uncaught(what, failure);
    } catch (Throwable t) {
      Telling.suppress(t, failure);
      Uncaught.report("the handler of a scope, told of " + what, t);
    }
  }

  @Override
  public String toString() {
    String text =
        switch (failures) {
          case DEFAULT -> "";
          case COUNT -> "failAfter(" + failAfter + ")";
          case COLLECT -> "collect";
          case SUPERVISE -> restart == null ? "supervise" : "supervise, restart " + restart;
        };
    String most = limit == NO_LIMIT ? "" : "limit(" + limit + ")";
    String values = passed.isEmpty() ? "" : "pass(" + passed.size() + ")";
    return Stream.of(text, most, values)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", ", "ScopePolicy[", "]"));
  }
}
