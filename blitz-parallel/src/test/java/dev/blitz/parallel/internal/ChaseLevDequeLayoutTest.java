package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** What thieves write is far from what the owner writes, and both from other objects. */
class ChaseLevDequeLayoutTest {
  private static final long LINE_PAIR = 128;

  static {
    // The layout of fields needs no serviceability agent, and attaching one takes seconds.
    System.setProperty("jol.skipHotspotSAAttach", "true");
  }

  private static final ClassLayout LAYOUT = ClassLayout.parseClass(ChaseLevDeque.class);

  private static long offset(String field) {
    return LAYOUT.fields().stream()
        .filter(f -> f.name().equals(field))
        .mapToLong(f -> f.offset())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fields_areALinePairApart() {
    assertThat(offset("top")).isGreaterThanOrEqualTo(LINE_PAIR);
    for (String owner : new String[] {"bottom", "slots", "clearedTo"}) {
      assertThat(Math.abs(offset(owner) - offset("top")))
          .as(owner)
          .isGreaterThanOrEqualTo(LINE_PAIR);
      assertThat(LAYOUT.instanceSize() - offset(owner)).as(owner).isGreaterThan(LINE_PAIR);
    }
  }
}
