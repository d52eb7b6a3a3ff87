package dev.blitz.io.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.stream.Source;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A {@link LastLook} at those that poll only who was woken. */
@Strict
@OnceIsEnough
class WideLookTest {
  private static final int WIDTH = 40;

  private final AtomicInteger wakes = new AtomicInteger();
  private final Context cx = Context.of(wakes::incrementAndGet);
  private final List<Silent> all = new ArrayList<>();

  /** Nobody is told when it has a value. */
  private static final class Silent implements Future<Integer> {
    private @Nullable Integer value;
    private boolean comes;
    private boolean restless;
    private @Nullable Waker waker;

    @Override
    public @Nullable Integer poll(Context polled) {
      waker = polled.waker();
      if (!polled.proceed()) {
        return null;
      }
      if (comes) {
        LastLook.onItsWay();
      }
      if (restless) {
        waker.wake();
      }
      return value;
    }

    void wake() {
      Objects.requireNonNull(waker).wake();
    }
  }

  WideLookTest() {
    for (int i = 0; i < WIDTH; i++) {
      all.add(new Silent());
    }
  }

  @Test
  void aRace_hasWhatIsThere() throws Exception {
    Future<Integer> race = Futures.race(all);
    assertThat(race.poll(cx)).isNull();
    all.get(17).value = 17;
    assertThat(race.poll(cx)).as("as nobody has been woken").isNull();
    assertThat(new LastLook().poll(race, cx)).isEqualTo(17);
  }

  @Test
  void aJoin_hasWhatIsThere() throws Exception {
    Future<List<Integer>> join = Futures.joinAll(all);
    assertThat(join.poll(cx)).isNull();
    all.forEach(one -> one.value = 1);
    assertThat(join.poll(cx)).as("as nobody has been woken").isNull();
    assertThat(new LastLook().poll(join, cx)).hasSize(WIDTH);
  }

  private static Source<Integer> source(Silent silent) {
    return Source.from(List.of(1)).mapAsync(1, one -> silent);
  }

  @Test
  void aMerge_hasWhatIsThere() throws Exception {
    Source<Integer> merge = Source.mergeAll(List.of(source(all.get(0)), source(all.get(1))));
    Future<Optional<Integer>> next = merge.next();
    assertThat(next.poll(cx)).isNull();
    all.get(1).value = 7;
    assertThat(next.poll(cx)).as("as nobody has been woken").isNull();
    assertThat(new LastLook().poll(next, cx)).hasValue(7);
    merge.close();
  }

  @Test
  void aMapAsync_hasWhatIsThere_inItsInputToo() throws Exception {
    Source<Integer> mapped =
        Source.mergeAll(List.of(source(all.get(0)), source(all.get(1))))
            .mapAsyncUnordered(4, i -> all.get(i));
    Future<Optional<Integer>> next = mapped.next();
    all.get(0).value = 2;
    assertThat(next.poll(cx)).isNull();
    all.get(1).value = 3;
    all.get(3).value = 8;
    assertThat(next.poll(cx)).as("as nobody has been woken").isNull();
    assertThat(new LastLook().poll(next, cx)).hasValue(8);
    mapped.close();
  }

  /** The first look says so, then another one wakes. */
  @Test
  void whatIsOnItsWay_isSoInTheNextPollToo() throws Exception {
    Future<Integer> race = Futures.race(all);
    var look = new LastLook();
    assertThat(race.poll(cx)).isNull();
    all.get(3).comes = true;
    assertThat(look.poll(race, cx)).isNull();
    assertThat(look.isOver()).isFalse();
    all.get(20).wake();
    assertThat(look.poll(race, cx)).isNull();
    assertThat(look.isOver()).isFalse();
    all.get(3).comes = false;
    all.get(20).wake();
    assertThat(look.poll(race, cx)).isNull();
    assertThat(look.isOver()).isTrue();
  }

  /** A poll with so many operations. */
  private final class Budget implements Context {
    private int left;

    Budget(int left) {
      this.left = left;
    }

    @Override
    public Waker waker() {
      return cx.waker();
    }

    @Override
    public boolean proceed() {
      return left > 0 && left-- > 0;
    }

    @Override
    public boolean mayProceed() {
      return left > 0;
    }
  }

  @Test
  void thoseThatUseUpEachBudget_doNotKeepItFromTheOthers() throws Exception {
    Future<Integer> race = Futures.race(all);
    assertThat(race.poll(cx)).isNull();
    all.forEach(one -> one.restless = true);
    all.get(WIDTH - 1).restless = false;
    all.get(WIDTH - 1).value = 39;
    var look = new LastLook();
    Integer value = null;
    for (int polls = 0; polls < WIDTH && value == null; polls++) {
      value = look.poll(race, new Budget(5));
      assertThat(value != null || !look.isOver()).isTrue();
    }
    assertThat(value).isEqualTo(39);
  }

  /** A look that was cut short has taken its marks. */
  @Test
  void whoeverGoesOnAfterIt_missesNoWake() throws Exception {
    Future<Integer> race = Futures.race(all);
    assertThat(race.poll(cx)).isNull();
    all.get(30).value = 30;
    all.get(30).wake();
    assertThat(new LastLook().poll(race, new Budget(5))).isNull();
    assertThat(race.poll(cx)).isEqualTo(30);
  }
}
