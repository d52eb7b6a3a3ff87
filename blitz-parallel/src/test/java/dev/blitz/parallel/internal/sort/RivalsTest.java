package dev.blitz.parallel.internal.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Strict
class RivalsTest {
  private static final int COUNT = 10_000;

  /** Which sorts of many are the JDK's. */
  private static List<Integer> jdks(Rivals rivals, int sorts, long ourNanos, long jdkNanos) {
    List<Integer> jdks = new ArrayList<>();
    for (int sort = 1; sort <= sorts; sort++) {
      boolean byJdk = rivals.takesJdks();
      if (byJdk) {
        jdks.add(sort);
      }
      rivals.learn(byJdk, COUNT, byJdk ? jdkNanos : ourNanos);
    }
    return jdks;
  }

  @Test
  void theOneThatLoses_isTriedEverMoreSeldom() {
    assertThat(jdks(new Rivals(), 100, 1_000, 5_000)).containsExactly(2, 4, 8, 16, 32, 64);
    List<Integer> all = jdks(new Rivals(), 100, 5_000, 1_000);
    assertThat(all).hasSize(94).doesNotContain(1, 4, 8, 16, 32, 64);
  }

  /** The first time, when nothing was compiled, says little. */
  @Test
  void theOneThatGetsQuicker_isTaken() {
    var rivals = new Rivals();
    jdks(rivals, 10, 1_000, 20_000);
    assertThat(jdks(rivals, 100, 1_000, 500)).hasSizeGreaterThan(85);
    assertThat(jdks(rivals, 10_000, 1_000, 5_000)).hasSizeLessThan(100);
  }

  @Test
  void pools_areToldApart() {
    var rivals = new Rivals.ByWorkers();
    assertThat(rivals.get(1)).isSameAs(rivals.get(1)).isNotSameAs(rivals.get(2));
    assertThat(rivals.get(1000)).isSameAs(rivals.get(8));
  }
}
