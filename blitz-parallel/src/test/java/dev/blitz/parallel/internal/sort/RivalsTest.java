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
      boolean byJdk = rivals.takesJdks(COUNT);
      if (byJdk) {
        jdks.add(sort);
      }
      rivals.learn(byJdk, COUNT, byJdk ? jdkNanos : ourNanos);
    }
    return jdks;
  }

  @Test
  void theOneThatLoses_isTriedEverMoreSeldom() {
    assertThat(jdks(new Rivals(1), 100, 1_000, 5_000)).containsExactly(2, 4, 8, 16, 32, 64);
    List<Integer> all = jdks(new Rivals(1), 100, 5_000, 1_000);
    assertThat(all).hasSize(94).doesNotContain(1, 4, 8, 16, 32, 64);
  }

  /** The first time, when nothing was compiled, says little. */
  @Test
  void theOneThatGetsQuicker_isTaken() {
    var rivals = new Rivals(1);
    jdks(rivals, 10, 1_000, 20_000);
    assertThat(jdks(rivals, 100, 1_000, 500)).hasSizeGreaterThan(85);
    assertThat(jdks(rivals, 10_000, 1_000, 5_000)).hasSizeLessThan(100);
  }

  /** One that has waited for the collector says nothing of those that follow. */
  @Test
  void theOneThatIsSlowOnce_isStillTaken() {
    var rivals = new Rivals(1);
    jdks(rivals, 1_000, 2_000, 1_000);
    assertThat(rivals.takesJdks(COUNT)).isTrue();
    rivals.learn(true, COUNT, 1_000_000);
    assertThat(jdks(rivals, 20, 2_000, 1_000)).hasSize(20);
  }

  /** Whoever sorts a few hundred million elements does not wait for one thread to do it. */
  @Test
  void veryLongArrays_tryNothing() {
    int many = 300_000_000;
    var rivals = new Rivals(2);
    for (int sort = 0; sort < 100; sort++) {
      assertThat(rivals.takesJdks(many)).isFalse();
      rivals.learn(false, many, 5_000_000_000L);
    }
    rivals.learn(true, 1_000_000, 1_000_000);
    assertThat(rivals.takesJdks(many)).as("what shorter ones have shown").isTrue();
  }

  @Test
  void poolsAndLengths_areToldApart() {
    var table = new Rivals.Table();
    assertThat(table.get(1, COUNT)).isSameAs(table.get(1, 65_535)).isNotSameAs(table.get(2, COUNT));
    assertThat(table.get(1, 65_536))
        .isSameAs(table.get(1, 1 << 30))
        .isNotSameAs(table.get(1, COUNT));
    assertThat(table.get(1000, COUNT)).isSameAs(table.get(8, COUNT));
  }
}
