package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class LongIndexCodeTest {
  private static final int COUNT = 4;

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        -2,
        Integer.MIN_VALUE - 5L,
        Integer.MIN_VALUE - 2L,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE - 5L,
        Integer.MAX_VALUE - 4L,
        Integer.MAX_VALUE - 3L,
        Integer.MAX_VALUE - 2L,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE + 1L,
        (1L << 32) - 2,
        Long.MIN_VALUE,
        Long.MAX_VALUE - COUNT
      })
  void run_whereIndicesAreIntsOrNot_handlesEachOnceInOrder(long from) throws Exception {
    List<Long> handled = new ArrayList<>();
    new LongIndexCode.Loop().run(i -> handled.add(i), from, COUNT);
    assertThat(handled)
        .containsExactlyElementsOf(LongStream.range(from, from + COUNT).boxed().toList());
  }
}
