package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.testkit.Strict;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One part of a source that uses up the budget of each poll keeps no other part waiting for ever.
 */
@Strict
class FairShareTest {
  private static final int BUDGET = 8;

  /** The budget of one poll. */
  private static final class OnePoll implements Context {
    private int left = BUDGET;

    @Override
    public Waker waker() {
      return () -> {};
    }

    @Override
    public boolean proceed() {
      return left-- > 0;
    }

    @Override
    public void refund() {
      left++;
    }
  }

  /** Always ready, and yields nothing. */
  private static Source<Integer> noisy() {
    return Source.generate(() -> 1).filter(item -> false);
  }

  @Test
  void merge_anInputThatUsesUpTheBudget_leavesTheOthersTheirTurn() throws Exception {
    for (boolean noisyFirst : new boolean[] {true, false}) {
      Source<Integer> other = Source.from(List.of(2));
      Source<Integer> merged = noisyFirst ? noisy().merge(other) : other.merge(noisy());
      Integer item = merged.pollNext(new OnePoll());
      for (int polls = 1; item == null && polls < 4; polls++) {
        item = merged.pollNext(new OnePoll());
      }
      assertThat(item).isEqualTo(2);
      merged.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {BUDGET + 1, 4 * (BUDGET + 1), 5 * BUDGET})
  void merge_ofMoreInputsThanBudget_takesOfAll(int inputs) throws Exception {
    List<Source<Integer>> all =
        IntStream.range(0, inputs).mapToObj(i -> Source.generate(() -> i)).toList();
    Source<Integer> merged = Source.mergeAll(all);
    Set<Integer> heard = new HashSet<>();
    for (int polls = 0; polls < 8; polls++) {
      var cx = new OnePoll();
      for (Integer item = merged.pollNext(cx); item != null; item = merged.pollNext(cx)) {
        heard.add(item);
      }
    }
    assertThat(heard).hasSize(inputs);
    merged.close();
  }

  /** Never ready, and never done. */
  private static final class Busy implements Future<Integer> {
    @Override
    public @Nullable Integer poll(Context cx) {
      while (cx.proceed()) {
        // it goes on
      }
      return null;
    }

    @Override
    public void drop() {}
  }

  @Test
  void mapAsync_aFutureThatUsesUpTheBudget_doesNotKeepItemsFromBeingTaken() throws Exception {
    Set<Integer> taken = new HashSet<>();
    Source<Integer> source =
        Source.from(List.of(1, 2, 3))
            .mapAsyncUnordered(
                4,
                item -> {
                  taken.add(item);
                  return new Busy();
                });
    for (int polls = 0; polls < 12; polls++) {
      assertThat(source.pollNext(new OnePoll())).isNull();
    }
    assertThat(taken).containsExactlyInAnyOrder(1, 2, 3);
    source.close();
  }
}
