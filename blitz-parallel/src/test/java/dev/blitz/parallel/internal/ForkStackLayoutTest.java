package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/**
 * The owner's fields must not share a cache line, or a prefetched pair of lines, with what thieves
 * touch.
 */
class ForkStackLayoutTest {
  private static final long LINE_PAIR = 128;

  static {
    // The layout of fields needs no serviceability agent, and attaching one takes seconds.
    System.setProperty("jol.skipHotspotSAAttach", "true");
  }

  private static long offset(String field) {
    return ClassLayout.parseClass(WorkerThread.class).fields().stream()
        .filter(f -> f.name().equals(field) && f.classShortName().contains("ForkStack"))
        .mapToLong(f -> f.offset())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ownerAndThiefFields_areALinePairApart() {
    for (String owner : new String[] {"bottom", "shared", "frames"}) {
      for (String thief : new String[] {"limit", "published", "oldest", "visibleFrames"}) {
        assertThat(Math.abs(offset(owner) - offset(thief)))
            .as("%s and %s", owner, thief)
            .isGreaterThanOrEqualTo(LINE_PAIR);
      }
    }
  }
}
