package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Fourth;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.future.Select.Third;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.Interval;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

@Strict
class SelectTest {

  /** No try block: all three are unchecked, and the switch is exhaustive. */
  private static String pick(
      UncheckedFuture<String> a, UncheckedFuture<Integer> b, UncheckedFuture<Done> c) {
    return switch (Select.first(a, b, c).await()) {
      case First(var text) -> "text " + text.length();
      case Second(var number) -> "number " + (number + 1);
      case Third(var done) -> "done " + done.name();
    };
  }

  @Test
  void first_saysWhichOne_withItsType() {
    assertThat(pick(Futures.ready("abc"), Futures.pending(), Futures.pending()))
        .isEqualTo("text 3");
    assertThat(pick(Futures.pending(), Futures.ready(41), Futures.done())).isEqualTo("number 42");
    assertThat(pick(Futures.pending(), Futures.pending(), Futures.done())).isEqualTo("done DONE");
  }

  @Test
  void first_ofTwoAndFour() throws Exception {
    UncheckedFuture<Integer> never = Futures.pending();
    int two =
        switch (Select.first(never, Futures.ready("b")).await()) {
          case First(var a) -> a;
          case Second(var b) -> b.length();
        };
    assertThat(two).isEqualTo(1);
    var four = Select.first(never, never, never, Futures.ready("d")).await();
    assertThat(four).isEqualTo(new Fourth<>("d"));
  }

  @Test
  void aFailure_isThrown_andTheLosersDropped() {
    DropProbe<Integer> loser = DropProbe.never("loser");
    Future<Integer> failing = DropProbe.failure("failing", 1, new IOException("broken"));
    assertThatThrownBy(() -> Select.first(loser, failing).await())
        .isInstanceOf(IOException.class)
        .hasMessage("broken");
    loser.verifyReleased();
  }

  @Test
  void fair_choosesAmongThoseThatAreReady_asTheSeedSays() {
    FairOrder fair = FairOrder.seeded(7);
    FairOrder same = FairOrder.seeded(7);
    int[] wins = new int[3];
    for (int i = 0; i < 3_000; i++) {
      var a = fair.of(threeReady()).await();
      var b = same.of(threeReady()).await();
      assertThat(a).isEqualTo(b);
      wins[
          switch (a) {
            case First(var x) -> x;
            case Second(var x) -> x;
            case Third(var x) -> x;
          }]++;
    }
    for (int w : wins) {
      assertThat(w).isBetween(800, 1_200);
    }
  }

  private static UncheckedFuture<Select.Of3<Integer, Integer, Integer>> threeReady() {
    return Select.first(Futures.ready(0), Futures.ready(1), Futures.ready(2));
  }

  @Test
  void fair_alsoInRaces_andRefusedElsewhere() throws Exception {
    FairOrder fair = FairOrder.seeded(3);
    int[] wins = new int[2];
    int[] selected = new int[2];
    for (int i = 0; i < 1_000; i++) {
      wins[fair.of(Futures.race(Futures.ready(0), Futures.ready(1))).await()]++;
      var first = fair.of(Futures.select(List.of(Futures.ready(0), Futures.ready(1)))).await();
      assertThat(first.value()).isEqualTo(first.index());
      selected[first.index()]++;
    }
    assertThat(wins[0]).isBetween(400, 600);
    assertThat(selected[0]).isBetween(400, 600);
    assertThatThrownBy(() -> fair.of(Futures.ready(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Does not compile if a kind is lost. */
  @Test
  void kinds_ofExceptions_survive() throws IOException {
    UncheckedFuture<Integer> quiet = Futures.ready(1);
    IoFuture<Integer> io = Futures.io(Futures.lazy(() -> 2));
    assertThat(Futures.join(quiet, quiet).await()).isEqualTo(new Both<>(1, 1));
    assertThat(Futures.join(quiet, io, quiet).await()).isEqualTo(new Three<>(1, 2, 1));
    assertThat(Futures.joinAll(List.of(quiet, quiet)).await()).containsExactly(1, 1);
    IoFuture<List<Integer>> mixed =
        Futures.joinAll(List.of(quiet, Futures.io(Futures.lazy(() -> 5))));
    assertThat(mixed.await()).containsExactly(1, 5);
    UncheckedFuture<Integer> race = Futures.race(quiet, quiet);
    IoFuture<Selected<Integer>> select = Futures.select(List.of(io(), quiet));
    assertThat(race.await() + select.await().value()).isEqualTo(3);
    CancelToken token = CancelToken.create();
    UncheckedFuture<Integer> guarded = token.guard(quiet);
    IoFuture<Integer> shielded = Task.shielded(io());
    assertThat(guarded.await() + shielded.await()).isEqualTo(3);
    assertThatThrownBy(() -> Futures.unchecked(failing()).await())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> Futures.io(failing()).await())
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(InterruptedException.class);
  }

  private static IoFuture<Integer> io() {
    return Futures.io(Futures.lazy(() -> 2));
  }

  private static Future<Integer> failing() {
    return Futures.failed(new InterruptedException("checked"));
  }

  @Test
  void fair_besideOneThatIsNeverReady_prefersNoneOfTheOthers() throws Exception {
    FairOrder fair = FairOrder.seeded(7);
    int[] wins = new int[3];
    int[] handled = new int[4];
    for (int i = 0; i < 3_000; i++) {
      switch (fair.of(Select.first(Futures.ready(0), Futures.pending(), Futures.ready(2)))
          .await()) {
        case First(var x) -> wins[x]++;
        case Second(var never) -> throw new AssertionError(never);
        case Third(var x) -> wins[x]++;
      }
      handled[
          fair.of(
                  Select.on(Futures.ready(0), x -> x)
                      .on(Futures.<Integer>pending(), x -> x)
                      .on(Futures.ready(2), x -> x)
                      .on(Futures.ready(3), x -> x)
                      .build())
              .await()]++;
    }
    assertThat(wins[0]).isBetween(1_400, 1_600);
    for (int ready : new int[] {0, 2, 3}) {
      assertThat(handled[ready]).isBetween(900, 1_100);
    }
  }

  @Test
  void handlers_andADefault() throws Exception {
    Channel<String> inbox = Channel.bounded(1);
    Channel<Integer> numbers = Channel.bounded(1);
    var first =
        Select.on(inbox.receive(), m -> "got " + m)
            .on(numbers.receive(), n -> "number " + n)
            .orElse(() -> "nothing yet")
            .build();
    assertThat(first.await()).isEqualTo("nothing yet");
    numbers.trySend(4);
    var second =
        Select.on(inbox.receive(), m -> "got " + m)
            .on(numbers.receive(), n -> "number " + n)
            .build();
    assertThat(second.await()).isEqualTo("number 4");
    assertThat(inbox.trySend("x")).as("the losers wait no more").isNotNull();
    assertThat(
            FairOrder.seeded(1)
                .of(Select.on(inbox.receive(), m -> m).on(numbers.receive(), n -> "n").build())
                .await())
        .isEqualTo("x");
  }

  @Test
  void theDefault_isNotTakenForWantOfBudget() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      Channel<Integer> channel = Channel.bounded(1);
      var seen = new ArrayList<Integer>();
      Future<Done> loop =
          Futures.loop(() -> {
            channel.trySend(seen.size());
            return Select.on(channel.receive(), m -> m)
                .orElse(() -> -1)
                .build()
                .map(m -> {
                  seen.add(m);
                  return m < 0 || seen.size() == 1_000 ? Futures.Step.STOP : Futures.Step.MORE;
                });
          });
      runtime.run(loop);
      assertThat(seen).hasSize(1_000).doesNotContain(-1);
    }
  }

  @Test
  void inALoop_nothingIsLost() throws Exception {
    Channel<Integer> inbox = Channel.bounded(2);
    CancelToken shutdown = CancelToken.create();
    List<Integer> handled = new ArrayList<>();
    try (var runtime = BlitzRuntime.create()) {
      Interval ticker = Interval.every(Duration.ofMillis(1));
      Future<Done> loop =
          Futures.loop(() ->
              Select.first(inbox.receive(), ticker.tick(), shutdown.cancelled())
                  .map(result ->
                      switch (result) {
                        case First(var message) -> {
                          handled.add(message);
                          if (handled.size() == 500) {
                            shutdown.cancel();
                          }
                          yield Futures.Step.MORE;
                        }
                        case Second(var tick) -> Futures.Step.MORE;
                        case Third(var done) -> Futures.Step.STOP;
                      }));
      var handle = runtime.spawn(loop);
      for (int i = 0; i < 500; i++) {
        inbox.send(i).await();
      }
      handle.await();
    }
    assertThat(handled).hasSize(500).isSorted();
  }

  @Test
  void toString_namesWhatIsWaitedFor() {
    assertThat(Select.first(Futures.pending(), Channel.bounded(1).receive()))
        .hasToString(
            "first of nothing (Futures.pending), a message from Channel[capacity 1, 0 inside, open]");
  }
}
