package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every combinator, dropped after each number of polls: whatever it held has then been ended or
 * dropped, once.
 */
@Strict
class CombinatorDropTest {

  /** Makes probes, and remembers them for the check at the end. */
  static final class Probes {
    final List<DropProbe<?>> all = new ArrayList<>();
    final AtomicInteger cleanups = new AtomicInteger();
    final @Nullable RuntimeException onDrop;

    Probes(@Nullable RuntimeException onDrop) {
      this.onDrop = onDrop;
    }

    private <T> DropProbe<T> keep(DropProbe<T> probe) {
      DropProbe<T> kept = onDrop == null ? probe : probe.throwingOnDrop(onDrop);
      all.add(kept);
      return kept;
    }

    DropProbe<Integer> value(int polls) {
      return keep(DropProbe.value("value" + all.size(), polls, all.size()));
    }

    DropProbe<Integer> failure(int polls) {
      return keep(DropProbe.failure("failure" + all.size(), polls, new IOException("f")));
    }

    DropProbe<Integer> never() {
      return keep(DropProbe.never("never" + all.size()));
    }

    DropProbe<Futures.Step> step(int polls, Futures.Step step) {
      return keep(DropProbe.value("step" + all.size(), polls, step));
    }
  }

  /** A combinator over probes. {@code keepsLosers}: its end leaves futures to the caller. */
  record Case(String name, boolean keepsLosers, Function<Probes, Future<?>> make) {
    Case(String name, Function<Probes, Future<?>> make) {
      this(name, false, make);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("map", p -> p.value(2).map(v -> v + 1)),
        new Case("map of a failure", p -> p.failure(2).map(v -> v + 1)),
        new Case("map that throws", p -> p.value(2).map(CombinatorDropTest::fail)),
        new Case("andThen", p -> p.value(2).andThen(v -> p.value(2))),
        new Case("andThen, first fails", p -> p.failure(2).andThen(v -> p.value(2))),
        new Case("andThen, second fails", p -> p.value(2).andThen(v -> p.failure(2))),
        new Case("andThen, second never", p -> p.value(1).andThen(v -> p.never())),
        new Case("andThen that throws", p -> p.value(2).andThen(CombinatorDropTest::fail)),
        new Case("recover of a value", p -> p.value(2).recover(e -> 9)),
        new Case("recover of a failure", p -> p.failure(2).recover(e -> 9)),
        new Case(
            "recover that throws",
            p -> p.failure(2).recover(CombinatorDropTest::<Exception, Integer>fail)),
        new Case("whenDone", p -> p.value(2).whenDone(p.cleanups::incrementAndGet)),
        new Case("whenDone of a failure", p -> p.failure(2).whenDone(p.cleanups::incrementAndGet)),
        new Case("outcome", p -> Futures.outcome(p.value(2))),
        new Case("outcome failure", p -> Futures.outcome(p.failure(2))),
        new Case("join", p -> Futures.join(p.value(1), p.value(3))),
        new Case("join, first fails", p -> Futures.join(p.failure(2), p.never())),
        new Case("join, second fails", p -> Futures.join(p.value(1), p.failure(2))),
        new Case("join of three", p -> Futures.join(p.value(3), p.value(1), p.value(2))),
        new Case(
            "join of three, one fails", p -> Futures.join(p.value(1), p.failure(2), p.never())),
        new Case(
            "joinAll",
            p -> Futures.joinAll(List.of(p.value(0), p.value(2), p.value(1), p.value(4)))),
        new Case(
            "joinAll, one fails",
            p -> Futures.joinAll(List.of(p.never(), p.value(0), p.failure(3), p.never()))),
        new Case(
            "tryJoinAll",
            p -> Futures.tryJoinAll(List.of(p.failure(0), p.value(2), p.failure(3), p.value(1)))),
        new Case("race", p -> Futures.race(p.never(), p.value(2), p.value(3))),
        new Case("race, tie", p -> Futures.race(p.value(2), p.value(2))),
        new Case("race, failure wins", p -> Futures.race(p.value(3), p.failure(2), p.never())),
        new Case("race without end", p -> Futures.race(p.never(), p.never())),
        new Case("select", true, p -> Futures.select(List.of(p.never(), p.value(2), p.value(3)))),
        new Case(
            "select, failure wins", true, p -> Futures.select(List.of(p.value(3), p.failure(1)))),
        new Case("select without end", p -> Futures.select(List.of(p.never(), p.never()))),
        new Case(
            "loop",
            p ->
                Futures.loop(
                    () -> p.step(1, p.all.size() < 3 ? Futures.Step.MORE : Futures.Step.STOP))),
        new Case(
            "nested",
            p ->
                Futures.race(
                    Futures.join(p.value(1), p.never())
                        .map(both -> 1)
                        .whenDone(p.cleanups::incrementAndGet),
                    p.value(1).andThen(v -> p.value(2)).recover(e -> 0))));
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
  private static <A, B> B fail(A value) throws Exception {
    throw new IOException("from the function, told " + value);
  }

  private static final Context CX = Context.of(() -> {});

  /**
   * Polls up to {@code polls} times, then drops; false if it ended before that.
   *
   * @throws AssertionError of a probe whose owner broke the contract
   */
  private static boolean pollThenDrop(Future<?> future, int polls) {
    for (int i = 0; i < polls; i++) {
      try {
        if (future.poll(CX) != null) {
          return false;
        }
      } catch (Exception e) {
        assertThat(e).isInstanceOf(IOException.class);
        return false;
      }
    }
    future.drop();
    return true;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void droppedAfterAnyPoll_releasesEverythingOnce(Case c) {
    boolean mayStillRun = true;
    for (int polls = 0; mayStillRun && polls < 12; polls++) {
      var probes = new Probes(null);
      Future<?> future = c.make.apply(probes);
      mayStillRun = pollThenDrop(future, polls);
      for (DropProbe<?> probe : probes.all) {
        if (mayStillRun || !c.keepsLosers) {
          probe.verifyReleased();
        } else {
          probe.verify();
          assertThat(probe.state()).isNotEqualTo(DropProbe.State.DROPPED);
        }
      }
      assertThat(probes.cleanups)
          .hasValue(c.name.contains("whenDone") || c.name.equals("nested") ? 1 : 0);
    }
    assertThat(mayStillRun).isEqualTo(c.name.contains("without end") || c.name.contains("never"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void droppedBeforeTheFirstPoll_startsNothing(Case c) {
    var probes = new Probes(null);
    c.make.apply(probes).drop();
    assertThat(probes.all).allMatch(p -> p.polls() == 0);
    assertThat(probes.all).allMatch(p -> p.state() == DropProbe.State.DROPPED);
  }

  /** In a task, so that what drops throw reaches the runtime's handler. */
  @ParameterizedTest
  @MethodSource("cases")
  void dropsThatThrow_areTold_andSiblingsAreStillDropped(Case c) {
    var told = Collections.synchronizedList(new ArrayList<Throwable>());
    try (var rt =
        BlitzRuntime.builder().workers(1).uncaughtHandler((what, t) -> told.add(t)).build()) {
      var probes = new Probes(new IllegalStateException("bad drop"));
      var gate = new ParkAfterOnePoll(c.make.apply(probes));
      JoinHandle<Object> task = rt.spawn(gate);
      Await.until(() -> gate.parked || task.isDone(), "the first poll");
      boolean cancelled = task.cancel();
      Await.until(task::isDone, "the end");
      Await.until(() -> rt.stats().live() == 0, "the count");
      if (cancelled) {
        long dropped =
            probes.all.stream().filter(p -> p.state() == DropProbe.State.DROPPED).count();
        assertThat(dropped).isPositive();
        assertThat(told).hasSize((int) dropped).allMatch(t -> "bad drop".equals(t.getMessage()));
        probes.all.forEach(DropProbe::verifyReleased);
      } else {
        assertThatThrownBy(task::await).isInstanceOf(Exception.class);
      }
    }
  }

  /** Polls once, then stays where it is until it is dropped. */
  private static final class ParkAfterOnePoll implements Future<Object> {
    private final Future<?> inner;
    volatile boolean parked;

    ParkAfterOnePoll(Future<?> inner) {
      this.inner = inner;
    }

    @Override
    public @Nullable Object poll(Context cx) throws Exception {
      if (parked) {
        return null;
      }
      Object value = inner.poll(Context.of(() -> {}));
      parked = true;
      return value;
    }

    @Override
    public void drop() {
      inner.drop();
    }
  }
}
