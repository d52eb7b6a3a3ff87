package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.plan.Plan;
import dev.blitz.parallel.internal.plan.Plans;
import dev.blitz.parallel.internal.plan.Template;
import dev.blitz.testkit.Strict;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;

/** What a search that ends early teaches about the cost of an index. */
@Strict
class SearchCostTest {
  private static final long INDEX_NANOS = 50_000;

  private final Plan<SearchCode> plan =
      new Plans<SearchCode>(new Template<>(MethodHandles.lookup(), new SearchCode.Loop()))
          .get(SearchCostTest.class);

  private static void spend(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void hitAtTheFirstIndex_doesNotMakeTheOthersCheap() {
    var core = new PoolCore("search", 1, 0, 1);
    try {
      core.call(() -> {
        plan.learn(INDEX_NANOS, 1, 0);
        for (int i = 0; i < 20; i++) {
          var found =
              new StripLoop<SearchCode, RuntimeException>(
                  new LoopHome(() -> core, true), LoopOptions.DEFAULT.withGrain(100), plan) {
                @Override
                boolean runStrip(long from, long to) {
                  spend(INDEX_NANOS);
                  return true;
                }
              }.start(0, 100);
          assertThat(found).isTrue();
        }
        assertThat(plan.nanosPerElement()).isGreaterThanOrEqualTo(INDEX_NANOS);
        return 0;
      });
    } finally {
      core.close();
    }
  }
}
