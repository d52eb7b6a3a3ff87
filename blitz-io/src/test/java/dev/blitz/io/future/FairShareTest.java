package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A future that uses up the budget of each poll keeps none of its neighbours waiting for ever. */
@Strict
class FairShareTest {
  private static final int BUDGET = 8;

  /** Does one step after the other, up to {@code last}, as long as it is allowed to. */
  private static final class Busy implements UncheckedFuture<Integer> {
    private final int last;
    private int steps;

    Busy(int last) {
      this.last = last;
    }

    static Busy forEver() {
      return new Busy(Integer.MAX_VALUE);
    }

    @Override
    public @Nullable Integer poll(Context cx) {
      while (cx.proceed()) {
        if (++steps == last) {
          return last;
        }
      }
      return null;
    }

    @Override
    public void drop() {}
  }

  private static Busy[] busy(int n) {
    return Stream.generate(Busy::forEver).limit(n).toArray(Busy[]::new);
  }

  private static void pollOften(Future<?> future, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      var cx = new OnePoll(BUDGET);
      assertThat(future.poll(cx)).isNull();
      assertThat(cx.isWoken()).as("a next poll is asked for").isTrue();
    }
  }

  private static void assertEvenSteps(Busy[] all) {
    int most = Arrays.stream(all).mapToInt(f -> f.steps).max().orElseThrow();
    int least = Arrays.stream(all).mapToInt(f -> f.steps).min().orElseThrow();
    assertThat(least).as("the slowest beside %d steps", most).isGreaterThanOrEqualTo(most / 4);
  }

  /** Few are polled all at each wake, many only if they were woken. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16, 17, 40})
  void joinAll_ofFuturesThatUseUpTheBudget_givesEachItsTurn(int n) throws Exception {
    Busy[] all = busy(n);
    var join = Futures.joinAll(List.of(all));
    pollOften(join, 10 * n);
    assertEvenSteps(all);
    join.drop();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16, 17, 40})
  void race_ofFuturesThatUseUpTheBudget_givesEachItsTurn(int n) throws Exception {
    Busy[] all = busy(n);
    var race = Futures.race(all);
    pollOften(race, 10 * n);
    assertEvenSteps(all);
    race.drop();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 17, 40})
  void oneThatUsesUpTheBudget_atAnyPlace_keepsNoOtherFromItsEnd(int n) throws Exception {
    List<Function<Future<Integer>[], Future<?>>> kinds =
        List.of(Futures::race, fs -> Futures.select(List.of(fs)), FairShareTest::handlers);
    for (var kind : kinds) {
      for (int hog = 0; hog < n; hog++) {
        int h = hog;
        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        Future<Integer>[] futures =
            IntStream.range(0, n)
                .mapToObj(i -> i == h ? Busy.forEver() : new Busy(3))
                .toArray(Future[]::new);
        assertThat(endsWithin(3, kind.apply(futures))).isNotNull();
      }
    }
  }

  private static Future<Integer> handlers(Future<Integer>[] futures) {
    SelectBuilder<Integer> select = Select.on(futures[0], v -> v);
    for (int i = 1; i < futures.length; i++) {
      select = select.on(futures[i], v -> v);
    }
    return select.build();
  }

  private static <T> @Nullable T endsWithin(int polls, Future<T> future) throws Exception {
    T value = null;
    for (int i = 0; value == null && i < polls; i++) {
      value = future.poll(new OnePoll(BUDGET));
    }
    return value;
  }

  @Test
  void select_ofFourKinds_givesEachItsTurn() throws Exception {
    assertThat(endsWithin(3, Select.first(Busy.forEver(), new Busy(2)))).isNotNull();
    assertThat(endsWithin(3, Select.first(Busy.forEver(), Futures.pending(), new Busy(2))))
        .isNotNull();
    var all = Select.first(Busy.forEver(), Busy.forEver(), Futures.pending(), new Busy(2));
    assertThat(endsWithin(4, all)).isNotNull();
  }

  @Test
  void nestedJoins_reachTheInnermost() throws Exception {
    var deep = new Busy(2);
    Future<?> nested = deep.map(v -> "end");
    for (int i = 0; i < 5; i++) {
      nested = Futures.join(Busy.forEver(), nested);
    }
    pollOften(nested, 64);
    assertThat(deep.steps).isEqualTo(2);
    nested.drop();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void theDefault_isTakenBesideOneThatUsesUpTheBudget(int others) throws Exception {
    SelectBuilder<Integer> select = Select.on(Busy.forEver(), v -> v);
    for (int i = 0; i < others; i++) {
      select = select.on(Futures.<Integer>pending(), v -> v);
    }
    assertThat(endsWithin(4, select.orElse(() -> -1).build())).isEqualTo(-1);
  }

  /** Whoever asks again and again in one poll is stopped by the budget. */
  @Test
  void theDefault_charges() throws Exception {
    var cx = new OnePoll(BUDGET);
    int defaults = 0;
    while (defaults <= BUDGET
        && Select.on(Futures.<Integer>pending(), v -> v).orElse(() -> -1).build().poll(cx)
            != null) {
      defaults++;
    }
    assertThat(defaults).isEqualTo(BUDGET);
  }

  // --- Earlier wins ---

  /** Ready in each poll that may charge. */
  private static UncheckedFuture<Integer> ready(int value) {
    return new UncheckedFuture<>() {
      @Override
      public @Nullable Integer poll(Context cx) {
        return cx.proceed() ? value : null;
      }

      @Override
      public void drop() {}
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 17})
  void race_begunWithoutBudget_stillPrefersTheEarlier(int n) throws Exception {
    var race = Futures.race(IntStream.range(0, n).mapToObj(FairShareTest::ready).toList());
    assertThat(race.poll(new OnePoll(0))).isNull();
    assertThat(race.poll(new OnePoll(1))).isEqualTo(0);
  }

  @Test
  void aLoopOfSelects_prefersTheEarlier_alsoWhereABudgetEnds() throws Exception {
    Channel<Integer> left = Channel.unbounded();
    Channel<Integer> right = Channel.unbounded();
    for (int i = 0; i < 1_000; i++) {
      left.trySend(i);
      right.trySend(i);
    }
    var rights = new AtomicInteger();
    var rounds = new AtomicInteger();
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      runtime.run(
          Futures.loop(() ->
              Select.first(left.receive(), right.receive())
                  .map(which -> {
                    if (which instanceof Select.Second) {
                      rights.incrementAndGet();
                    }
                    return rounds.incrementAndGet() == 900 ? Futures.Step.STOP : Futures.Step.MORE;
                  })));
    }
    assertThat(rights).hasValue(0);
  }

  @Test
  void oneThatWaits_isPreferredAgain_whenAllHadTheirTurn() throws Exception {
    var gate = new AtomicInteger();
    UncheckedFuture<Integer> later =
        new UncheckedFuture<>() {
          @Override
          public @Nullable Integer poll(Context cx) {
            if (gate.get() == 0) {
              while (cx.proceed()) {
                // busy until the gate is open
              }
              gate.set(1);
              return null;
            }
            return gate.get() == 2 ? 1 : null;
          }

          @Override
          public void drop() {}
        };
    UncheckedFuture<Integer> second =
        new UncheckedFuture<>() {
          @Override
          public @Nullable Integer poll(Context cx) {
            return gate.get() == 2 ? 2 : null;
          }

          @Override
          public void drop() {}
        };
    var race = Futures.race(later, second);
    assertThat(race.poll(new OnePoll(BUDGET))).as("used up").isNull();
    assertThat(race.poll(new OnePoll(BUDGET))).as("all asked").isNull();
    gate.set(2);
    assertThat(race.poll(new OnePoll(BUDGET))).isEqualTo(1);
  }

  // --- What is there wins over what has passed ---

  @Test
  void timeout_withoutBudget_doesNotMissAResultThatIsThere() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      List<Integer> seen = new ArrayList<>();
      Channel<Integer> channel = Channel.unbounded();
      for (int i = 0; i < 1_000; i++) {
        channel.trySend(i);
      }
      runtime.run(
          Futures.loop(() ->
              channel
                  .receive()
                  .timeout(Duration.ZERO)
                  .map(v -> {
                    seen.add(v);
                    return seen.size() == 1_000 ? Futures.Step.STOP : Futures.Step.MORE;
                  })));
      assertThat(seen).hasSize(1_000);
    }
  }

  @Test
  void timeout_ofOneThatUsesUpTheBudget_comes() {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      assertThatThrownBy(() -> runtime.run(Busy.forEver().timeout(Duration.ofMillis(5))))
          .isInstanceOf(TimedOutException.class);
    }
  }

  // --- In a runtime, both styles ---

  @Test
  void inATask_bothGoOn() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      Both<Integer, Integer> both =
          runtime.run(Futures.join(new Busy(5_000), new Busy(5_000)).timeout(Timeouts.MEDIUM));
      assertThat(both).isEqualTo(new Both<>(5_000, 5_000));
      assertThat(runtime.run(Futures.race(Busy.forEver(), new Busy(1_000)))).isEqualTo(1_000);
      assertThat(runtime.run(() -> Futures.race(Busy.forEver(), new Busy(1_000)).await()))
          .isEqualTo(1_000);
      int nine = runtime.run(() -> Task.spawn(Futures.race(Busy.forEver(), new Busy(9))).await());
      assertThat(nine).isEqualTo(9);
    }
  }
}
