package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/** Where the JVM really puts the fields of a ring. */
@Strict
class RingLayoutTest {
  private static final int APART = 128;

  @BeforeAll
  static void offsetsAreAllWeNeed() {
    // Attaching to the JVM takes seconds, and only sizes of instances need it.
    System.setProperty("jol.skipDynamicAttach", "true");
    System.setProperty("jol.skipHotspotSAAttach", "true");
  }

  @Test
  void headTailAndLifo_are128BytesApart_fromEachOtherAndFromEverythingElse() {
    ClassLayout layout = ClassLayout.parseClass(LocalRunQueue.class);
    FieldLayout head = field(layout, "head");
    FieldLayout tail = field(layout, "tail");
    FieldLayout lifo = field(layout, "lifo");
    String where = layout.toPrintable();
    assertThat(head.offset() - layout.headerSize()).as(where).isGreaterThanOrEqualTo(APART);
    assertThat(tail.offset() - (head.offset() + head.size()))
        .as(where)
        .isGreaterThanOrEqualTo(APART);
    assertThat(lifo.offset() - (tail.offset() + tail.size()))
        .as(where)
        .isGreaterThanOrEqualTo(APART);
    long ownersEnd = lifo.offset() + lifo.size();
    for (String other : List.of("slots", "mask", "spill", "spillView")) {
      assertThat(field(layout, other).offset() - ownersEnd)
          .as(other + " in " + where)
          .isGreaterThanOrEqualTo(APART);
    }
  }

  private static FieldLayout field(ClassLayout layout, String name) {
    return layout.fields().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }
}
