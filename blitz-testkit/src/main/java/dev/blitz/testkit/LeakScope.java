package dev.blitz.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * What was alive when a test, or a class of tests, began; closing it fails if more is alive.
 *
 * <p>It lives in JUnit's store for that test, which closes its values in reverse order after
 * everything else of the test: the first value in is the last one closed, when all other resources
 * are gone.
 */
final class LeakScope implements AutoCloseable {

  /**
   * How long leaks are given to go away, as an ISO-8601 duration: for tests that leak on purpose.
   */
  static final String GRACE_PROPERTY = "blitz.leak.grace";

  private static final Namespace NAMESPACE = Namespace.create(LeakScope.class);
  private static final long FIRST_PAUSE_NANOS = 200_000;
  private static final long LONGEST_PAUSE_NANOS = 20_000_000;

  private final String owner;
  private final @Nullable LeakScope parent;
  private final List<LeakWatch> builtIn;
  private final Duration grace;
  private final Map<Object, Set<Object>> baseline = new HashMap<>();
  private final Set<String> notes = new LinkedHashSet<>();

  private record Leak(LeakWatch watch, Object item, Supplier<String> description) {}

  private LeakScope(ExtensionContext context, List<LeakWatch> builtIn) {
    this.owner = Contexts.name(context);
    this.parent = context.getParent().flatMap(LeakScope::of).orElse(null);
    this.builtIn = builtIn;
    this.grace =
        context.getConfigurationParameter(GRACE_PROPERTY, Duration::parse).orElse(Timeouts.SHORT);
    for (LeakWatch watch : watches()) {
      baseline.put(keyOf(watch), new HashSet<>(watch.live().keySet()));
    }
  }

  /** Begins the scope of a context, once. */
  static void open(ExtensionContext context, List<LeakWatch> builtIn) {
    var store = context.getStore(NAMESPACE);
    // Per context: the store would otherwise hand out the scope of the enclosing class.
    if (store.get(context.getUniqueId()) == null) {
      store.put(context.getUniqueId(), new LeakScope(context, builtIn));
    }
  }

  /** The innermost scope around a context. */
  static Optional<LeakScope> of(ExtensionContext context) {
    for (var at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
      var found = at.get().getStore(NAMESPACE).get(at.get().getUniqueId(), LeakScope.class);
      if (found != null) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Adds a line to the message of a failure. */
  void note(String line) {
    notes.add(line);
  }

  @Override
  public void close() {
    List<Leak> leaks = leaksAfterGrace();
    for (var scope = parent; scope != null; scope = scope.parent) {
      scope.leaveTo(this);
    }
    if (!leaks.isEmpty()) {
      throw new LeakError(message(leaks));
    }
  }

  /* What came up during a test was reported or ignored there; its class does not judge it again. */
  private void leaveTo(LeakScope test) {
    for (Leak leak : leaks()) {
      if (!test.baselineOf(leak.watch()).contains(leak.item())) {
        baselineOf(leak.watch()).add(leak.item());
      }
    }
  }

  private List<Leak> leaksAfterGrace() {
    boolean interrupted = Thread.interrupted(); // else the pauses would not pause
    try {
      long start = System.nanoTime();
      long pauseNanos = FIRST_PAUSE_NANOS;
      List<Leak> leaks = leaks();
      while (!leaks.isEmpty() && System.nanoTime() - start < grace.toNanos()) {
        LockSupport.parkNanos(pauseNanos);
        pauseNanos = Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
        leaks = leaks();
      }
      return leaks;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private List<Leak> leaks() {
    var leaks = new ArrayList<Leak>();
    for (LeakWatch watch : watches()) {
      Set<Object> before = baselineOf(watch);
      watch
          .live()
          .forEach((item, description) -> {
            if (!before.contains(item)) {
              leaks.add(new Leak(watch, item, description));
            }
          });
    }
    return leaks;
  }

  private Set<Object> baselineOf(LeakWatch watch) {
    return baseline.computeIfAbsent(
        keyOf(watch),
        late -> late instanceof ProbeWatch p ? new HashSet<>(p.liveAtStart()) : new HashSet<>());
  }

  /* Scopes have watches of their own for threads and descriptors, but share those of probes. */
  private static Object keyOf(LeakWatch watch) {
    return watch instanceof ProbeWatch ? watch : watch.getClass();
  }

  private List<LeakWatch> watches() {
    var watches = new ArrayList<>(builtIn);
    watches.addAll(ProbeWatch.all());
    return watches;
  }

  private String message(List<Leak> leaks) {
    var text = new StringBuilder(owner + " left behind:");
    for (Leak leak : leaks) {
      text.append("\n    ").append(leak.watch().kind()).append(' ');
      text.append(leak.description().get());
    }
    notes.forEach(note -> text.append("\n    (").append(note).append(')'));
    return text.toString();
  }

  /** Names everything that was left behind; its own stack would tell nothing. */
  static final class LeakError extends AssertionError {
    private static final long serialVersionUID = 1L;

    LeakError(String message) {
      super(message);
      setStackTrace(new StackTraceElement[0]);
    }
  }
}
