package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class TagTest {

  @Test
  void kinds_areToldApart_alsoAtTheirEnds() {
    long last = (1L << 60) - 1;
    assertThat(Tag.kind(last)).isEqualTo(Tag.OPERATION);
    assertThat(Tag.key(Tag.cancelOf(last))).isEqualTo(last);
    for (int driver : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThat(Tag.kind(Tag.wakeOf(driver))).isEqualTo(Tag.WAKE);
      assertThat(Tag.driver(Tag.wakeOf(driver))).isEqualTo(driver);
    }
    assertThat(Tag.kind(Tag.of(Tag.NOBODY))).isEqualTo(Tag.NOBODY);
    for (int worker : new int[] {0, 1, 63, 64, Integer.MAX_VALUE}) {
      assertThat(Tag.kind(Tag.watchOf(worker))).isEqualTo(Tag.WATCH);
      assertThat(Tag.worker(Tag.watchOf(worker))).isEqualTo(worker);
    }
  }

  @Test
  void toString_decodes() {
    assertThat(Tag.toString(3L << 32 | 7)).isEqualTo("operation 7 for the 3. time");
    assertThat(Tag.toString(Tag.cancelOf(3L << 32 | 7))).startsWith("cancel of operation 7");
    assertThat(Tag.toString(Tag.watchOf(2))).isEqualTo("watch of ring 2");
    assertThat(Tag.toString(Tag.wakeOf(2))).isEqualTo("wake of thread 2");
    assertThat(Tag.toString(Tag.of(Tag.NOBODY))).isEqualTo("nobody");
    assertThat(Tag.toString(Tag.of(9))).startsWith("unknown");
  }
}
