package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@Strict
class MemoryTest {

  private final byte[][] kept = new byte[64][];

  private void fill() {
    for (int i = 0; i < kept.length; i++) {
      kept[i] = new byte[1_000];
    }
  }

  @Test
  void allocatedBy_countsWhatTheBodyAllocates() {
    fill();
    // The header of an array is 12 to 24 bytes, whatever the JVM's settings.
    assertThat(Memory.allocatedBy(this::fill)).isBetween(64 * 1_012L, 64 * 1_024L);
  }

  @Test
  void allocatedBy_aBodyThatAllocatesNothing_isZero() {
    Runnable touch = () -> kept[0] = kept[1];
    Memory.allocatedBy(touch);
    assertThat(Memory.allocatedBy(touch)).isZero();
  }

  @Test
  void usedHeapAfterCollection_seesWhatIsKeptAndNotWhatIsGarbage() {
    long before = Memory.usedHeapAfterCollection();
    kept[0] = new byte[64 << 20];
    assertThat(Memory.usedHeapAfterCollection() - before).isGreaterThan(48L << 20);
    kept[0] = kept[1];
    assertThat(Memory.usedHeapAfterCollection() - before).isLessThan(16L << 20);
  }

  @Test
  void allocatedByEach_leavesOutWhatOneRunAdds_andSeesWhatEachDoes() {
    var once = new boolean[1];
    var kept = new Object[1];
    assertThat(
            Memory.allocatedByEach(() -> {
              if (!once[0]) {
                once[0] = true;
                kept[0] = new byte[1_000];
              }
            }))
        .isZero();
    assertThat(Memory.allocatedByEach(() -> kept[0] = new byte[1_000])).isGreaterThan(1_000);
  }
}
