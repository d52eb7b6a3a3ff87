package dev.blitz.io.future;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Drops a future at every point of its life. A {@link Scenario} is a small world: the future under
 * test, and a script of steps that the world takes meanwhile (a release, a send, another waiter, a
 * close). The explorer builds the world afresh for every interleaving of polls and steps, breaks
 * off after each, drops the future there if it has not ended, takes the remaining steps and has the
 * scenario check its invariant: permits conserved, no waiter linked, nothing lost.
 *
 * {@snippet :
 * DropExplorer.explore(() -> {
 *   var semaphore = Semaphore.create(1);
 *   semaphore.tryAcquire();
 *   return DropExplorer.scenario(semaphore.acquire())
 *       .step("release", semaphore::release)
 *       .check(end -> {
 *         end.ifValue(Semaphore.Permit::close);
 *         assertThat(semaphore.availablePermits()).isEqualTo(1);
 *       });
 * });
 * }
 *
 * <p>Three ways of polling are tried: with one waker throughout, with a new waker for each poll,
 * and with a budget that is used up at the first poll. Besides the scenario's invariant it fails
 *
 * <ul>
 *   <li>when a poll finds the future ready though nobody woke the waker of the poll before it: a
 *       lost wake-up;
 *   <li>when a full run, polled only as woken after the last step, disagrees with {@link
 *       Scenario#endsByItself}.
 * </ul>
 */
public final class DropExplorer {
  /** More polls than a future with this script could need, plus spurious ones. */
  private static final int SPURIOUS_POLLS = 2;

  private enum Polling {
    SAME_WAKER,
    NEW_WAKER,
    NO_BUDGET
  }

  private final Supplier<? extends Scenario<?>> factory;
  private int runs;

  private DropExplorer(Supplier<? extends Scenario<?>> factory) {
    this.factory = factory;
  }

  /** Something the world does, or a check; may throw. */
  @FunctionalInterface
  public interface Action {
    /** Does it. */
    void run() throws Exception;
  }

  /** Looks at how a run ended. */
  @FunctionalInterface
  public interface Invariant<T> {
    /** Throws if something was lost. */
    void check(End<T> end) throws Exception;
  }

  /**
   * How a run ended: with a value, with a failure, or with a drop (neither).
   *
   * @param value the value, or null
   * @param failure the failure, or null
   */
  public record End<T>(@Nullable T value, @Nullable Exception failure) {
    /** Whether the future was dropped. */
    public boolean dropped() {
      return value == null && failure == null;
    }

    /** Gives the value back, if there is one. */
    public void ifValue(Consumer<? super T> use) {
      if (value != null) {
        use.accept(value);
      }
    }
  }

  /** One world. */
  public static final class Scenario<T> {
    private final Future<T> future;
    private final List<String> names = new ArrayList<>();
    private final List<Action> steps = new ArrayList<>();
    private Invariant<T> invariant = end -> {};
    private boolean endsByItself = true;

    private Scenario(Future<T> future) {
      this.future = future;
    }

    /** What the world does next. */
    public Scenario<T> step(String name, Action action) {
      names.add(name);
      steps.add(action);
      return this;
    }

    /** The future is still pending after all steps. */
    public Scenario<T> neverEnds() {
      endsByItself = false;
      return this;
    }

    /** What must hold when the future has ended or been dropped and all steps have been taken. */
    public Scenario<T> check(Invariant<T> invariant) {
      this.invariant = invariant;
      return this;
    }
  }

  /** Begins the description of a world around this future. */
  public static <T> Scenario<T> scenario(Future<T> future) {
    return new Scenario<>(future);
  }

  /**
   * Explores all interleavings.
   *
   * @param factory makes the same world each time
   * @return how many runs there were
   */
  public static int explore(Supplier<? extends Scenario<?>> factory) {
    var explorer = new DropExplorer(factory);
    Scenario<?> shape = factory.get();
    int steps = shape.steps.size();
    for (Polling polling : Polling.values()) {
      explorer.extend(polling, new ArrayList<>(), steps, steps + SPURIOUS_POLLS);
      explorer.run(polling, List.of(), true);
    }
    return explorer.runs;
  }

  /** {@code prefix}: true is a poll, false a step. */
  private void extend(Polling polling, List<Boolean> prefix, int stepsLeft, int pollsLeft) {
    boolean ended = run(polling, prefix, false);
    if (stepsLeft > 0) {
      prefix.addLast(false);
      extend(polling, prefix, stepsLeft - 1, pollsLeft);
      prefix.removeLast();
    }
    if (pollsLeft > 0 && !ended) {
      prefix.addLast(true);
      extend(polling, prefix, stepsLeft, pollsLeft - 1);
      prefix.removeLast();
    }
  }

  private boolean run(Polling polling, List<Boolean> prefix, boolean toTheEnd) {
    runs++;
    return new Run<>(factory.get(), polling).go(prefix, toTheEnd);
  }

  /** Counts its wakes. */
  private static final class Flag implements Waker {
    private volatile boolean woken;

    @Override
    public void wake() {
      woken = true;
    }
  }

  /** One life of one world. */
  private static final class Run<T> {
    private final Scenario<T> scenario;
    private final Polling polling;
    private final StringBuilder story = new StringBuilder();
    private Flag waker = new Flag();
    private boolean polled;
    private boolean refused;
    private int stepsTaken;
    private @Nullable T value;
    private @Nullable Exception failure;

    Run(Scenario<T> scenario, Polling polling) {
      this.scenario = scenario;
      this.polling = polling;
    }

    boolean go(List<Boolean> prefix, boolean toTheEnd) {
      try {
        for (boolean isPoll : prefix) {
          if (isPoll && !ended()) {
            poll();
          } else if (!isPoll) {
            step();
          }
        }
        if (toTheEnd) {
          pollAsWoken();
        }
        boolean ended = ended();
        if (!ended) {
          story.append(" drop");
          scenario.future.drop();
        }
        while (stepsTaken < scenario.steps.size()) {
          step();
        }
        story.append(" check");
        scenario.invariant.check(new End<>(value, failure));
        return ended;
      } catch (Throwable t) {
        throw new AssertionError(scenario.future + ", " + polling + ":" + story + ": " + t, t);
      }
    }

    private void pollAsWoken() throws Exception {
      poll();
      for (boolean more = true; more && !ended(); ) {
        while (waker.woken && !ended()) {
          poll();
        }
        more = stepsTaken < scenario.steps.size();
        if (more) {
          step();
        }
      }
      if (ended() != scenario.endsByItself) {
        throw new AssertionError(ended() ? "it ended" : "it was never woken to end");
      }
    }

    private boolean ended() {
      return value != null || failure != null;
    }

    private void step() throws Exception {
      story.append(" [").append(scenario.names.get(stepsTaken)).append(']');
      scenario.steps.get(stepsTaken++).run();
    }

    private void poll() {
      story.append(" poll");
      boolean asleep = polled && !waker.woken;
      polled = true;
      if (polling == Polling.NEW_WAKER) {
        waker = new Flag();
      }
      waker.woken = false;
      Flag now = waker;
      Context cx =
          new Context() {
            @Override
            public Waker waker() {
              return now;
            }

            @Override
            public boolean proceed() {
              if (polling == Polling.NO_BUDGET && !refused) {
                refused = true;
                now.wake();
                return false;
              }
              return true;
            }
          };
      try {
        value = scenario.future.poll(cx);
      } catch (Exception e) {
        failure = e;
      }
      if (ended() && asleep) {
        throw new AssertionError("it was ready, but nobody woke it");
      }
    }
  }
}
