package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Sources at the end of the stack: what was begun is closed once, and used as agreed. */
@Strict
@OnceIsEnough
class DeepSourceTest {
  private static final Context CX = Context.of(() -> {});
  private static final int ROUNDS = 3;
  private static final int MANY = 3_000;

  private static void walk(UnaryOperator<Source<Integer>> operator) throws Exception {
    int overflows = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ProbeSource[] probes = new ProbeSource[MANY];
      Source<?>[] sources = new Source<?>[MANY];
      for (int i = 0; i < MANY; i++) {
        probes[i] = ProbeSource.slow(List.of(1, 2, 3));
        sources[i] = operator.apply(probes[i]);
      }
      int[] next = {0};
      overflows +=
          DeepCalls.downToTheEnd(
              () -> {
                if (next[0] < MANY) {
                  var _ = sources[next[0]++].pollNext(CX);
                }
              },
              round);
      for (int i = 0; i < MANY; i++) {
        sources[i].close();
        probes[i].verify();
      }
    }
    assertThat(overflows).isPositive();
  }

  @Test
  void steps() throws Exception {
    walk(source -> source.map(i -> i + 1).filter(i -> i > 0).take(2));
  }

  @Test
  void merge() throws Exception {
    walk(source -> source.merge(Source.of(1, 2)));
  }

  @Test
  void chunksOfWhatIsMapped() throws Exception {
    walk(source -> source.chunk(2).map(List::getFirst));
  }
}
