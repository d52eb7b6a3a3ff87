package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.stream.Operators.Operator;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every operator promises: its items, its end, failures, drops, closes and its budget. */
@Strict
@OnceIsEnough
class OperatorConformanceTest {
  private static final List<Integer> ITEMS = IntStream.range(0, 10).boxed().toList();

  private final ManualTimeSource clock = new ManualTimeSource(true);
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).clock(clock).build();

  static Stream<Operator> operators() {
    return Operators.all();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.stats().timers()).as("timers").isZero();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private List<?> itemsOf(Operator operator, ProbeSource probe) throws Exception {
    return rt.run(toList(operator.operator().apply(probe)));
  }

  private static <T> Future<List<T>> toList(Source<T> source) {
    return source.toList();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void items_areThoseOfTheReference(Operator operator) throws Exception {
    for (int n = 0; n <= ITEMS.size(); n++) {
      List<Integer> items = ITEMS.subList(0, n);
      for (boolean slow : new boolean[] {false, true}) {
        ProbeSource probe = slow ? ProbeSource.slow(items) : ProbeSource.ready(items);
        assertThat((Object) itemsOf(operator, probe)).isEqualTo(operator.reference().apply(items));
        probe.verify();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void aFailure_isThrownAfterTheItemsBefore_andClosesAll(Operator operator) throws Exception {
    for (Throwable failure :
        List.of(
            new IllegalStateException("broken"),
            new IOException("broken"),
            new AssertionError("broken"),
            new StackOverflowError("broken"))) {
      for (boolean slow : new boolean[] {false, true}) {
        ProbeSource probe = ProbeSource.failing(ITEMS, slow, failure);
        Source<?> source = operator.operator().apply(probe);
        List<Object> got = Collections.synchronizedList(new ArrayList<>());
        boolean endsBefore = endsBefore(operator);
        try {
          rt.run(source.each(got::add));
          assertThat(endsBefore).as("ends without the failure").isTrue();
        } catch (Throwable t) {
          assertThat(rootOf(t)).isSameAs(failure);
        }
        assertThat(operator.reference().apply(ITEMS).toString())
            .startsWith(got.toString().substring(0, got.toString().length() - 1));
        assertThat(source.hasEnded()).isTrue();
        probe.verify();
      }
    }
  }

  private boolean endsBefore(Operator operator) throws Exception {
    ProbeSource probe = ProbeSource.ready(ITEMS);
    itemsOf(operator, probe);
    return probe.taken() < ITEMS.size() || operator.name().startsWith("take");
  }

  private static Throwable rootOf(Throwable t) {
    Throwable root = t;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Polls a source so many times, as it is woken, then closes it or forgets the poll. */
  private static final class Polls<T> implements Future<Done> {
    private final Source<T> source;
    private final int most;
    private final boolean close;
    final List<T> got = new ArrayList<>();
    int polls;

    Polls(Source<T> source, int most, boolean close) {
      this.source = source;
      this.most = most;
      this.close = close;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      for (; ; ) {
        if (polls == most) {
          if (close) {
            source.close();
          } else {
            source.forgetNext();
          }
          return Done.DONE;
        }
        polls++;
        T item = source.pollNext(cx);
        if (item != null) {
          got.add(item);
        } else if (source.hasEnded()) {
          return Done.DONE;
        } else if (polls < most) {
          return null;
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void close_afterEachPoll_dropsAllOfIt_once(Operator operator) throws Exception {
    for (boolean slow : new boolean[] {false, true}) {
      for (int n = 0; ; n++) {
        ProbeSource probe = slow ? ProbeSource.slow(ITEMS) : ProbeSource.ready(ITEMS);
        Source<?> source = operator.operator().apply(probe);
        var polls = new Polls<>(source, n, true);
        rt.run(polls);
        probe.verify();
        assertThat(source.hasEnded()).isTrue();
        assertThat(source.pollNext(Context.of(() -> {}))).isNull();
        source.close();
        probe.verify();
        if (polls.polls < n) {
          break;
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void forget_afterEachPoll_losesNothing(Operator operator) throws Exception {
    for (boolean slow : new boolean[] {false, true}) {
      ProbeSource probe = slow ? ProbeSource.slow(ITEMS) : ProbeSource.ready(ITEMS);
      Source<?> source = operator.operator().apply(probe);
      List<Object> got = new ArrayList<>();
      int rounds = 0;
      while (!source.hasEnded()) {
        var polls = new Polls<>(source, 1 + rounds++ % 3, false);
        rt.run(polls);
        got.addAll(polls.got);
        assertThat(probe.isAsked()).as("somebody still waits").isFalse();
      }
      assertThat((Object) got).isEqualTo(operator.reference().apply(ITEMS));
      probe.verify();
    }
  }

  @ParameterizedTest
  @MethodSource("operators")
  void manyItems_thatAreAlwaysReady_letOthersRun(Operator operator) throws Exception {
    List<Integer> many = IntStream.range(0, 2_000).boxed().toList();
    ProbeSource probe = ProbeSource.ready(many);
    Source<?> source = operator.operator().apply(probe);
    var longest = new int[1];
    Future<Done> each = source.each(item -> {});
    Future<Done> counted =
        new Future<>() {
          @Override
          public @Nullable Done poll(Context cx) throws Exception {
            int before = probe.taken();
            try {
              return each.poll(cx);
            } finally {
              longest[0] = Math.max(longest[0], probe.taken() - before);
            }
          }

          @Override
          public void drop() {
            each.drop();
          }
        };
    rt.run(counted);
    assertThat(longest[0]).isLessThanOrEqualTo(128);
    probe.verify();
  }

  @ParameterizedTest
  @MethodSource("operators")
  void close_whileATaskWaits_wakesIt(Operator operator) throws Exception {
    var never = new NeverSource();
    Source<?> source = operator.operator().apply(never);
    if (operator.name().equals("take nothing")) {
      source.close();
      return;
    }
    var task = rt.spawn(source.each(item -> {}));
    never.awaitWaiting();
    source.close();
    assertThatThrownBy(task::await).hasCauseInstanceOf(CancelledException.class);
    assertThat(never.closes()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("operators")
  void theSourceItWasPutOn_isRefused_andItsCloseClosesAll(Operator operator) throws Exception {
    ProbeSource probe = ProbeSource.ready(ITEMS);
    Source<Integer> inner = probe.map(i -> i);
    Source<?> source = operator.operator().apply(inner);
    assertThatThrownBy(() -> inner.pollNext(Context.of(() -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("operator");
    assertThatThrownBy(() -> inner.map(i -> i)).isInstanceOf(IllegalStateException.class);
    inner.close();
    assertThat(source.hasEnded()).isTrue();
    assertThat(inner.hasEnded()).isTrue();
    probe.verify();
  }
}
