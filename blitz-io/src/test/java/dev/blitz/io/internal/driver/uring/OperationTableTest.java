package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class OperationTableTest {

  /** Told apart by its identity. */
  private static final class Idle extends Operation {
    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      throw new AssertionError("never armed");
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
      throw new AssertionError("never armed");
    }
  }

  @Test
  void aRemovedKey_findsNothing_alsoWhenItsSlotIsTakenAgain() {
    var table = new OperationTable(1);
    var first = new Idle();
    long firstKey = table.insert(first);
    assertThat(table.find(firstKey)).isSameAs(first);
    assertThat(table.remove(firstKey)).isTrue();
    assertThat(table.remove(firstKey)).isFalse();
    assertThat(table.find(firstKey)).isNull();
    var second = new Idle();
    long secondKey = table.insert(second);
    assertThat((int) secondKey).as("the same slot").isEqualTo((int) firstKey);
    assertThat(table.find(firstKey)).isNull();
    assertThat(table.remove(firstKey)).isFalse();
    assertThat(table.find(secondKey)).isSameAs(second);
  }

  @Test
  void keys_leaveRoomForTheKind_andAreNeverZero() {
    var table = new OperationTable(1);
    for (int i = 0; i < 1000; i++) {
      long key = table.insert(new Idle());
      assertThat(key).isPositive();
      assertThat(Tag.kind(key)).isEqualTo(Tag.OPERATION);
      assertThat(Tag.kind(Tag.cancelOf(key))).isEqualTo(Tag.CANCEL);
      assertThat(Tag.key(Tag.cancelOf(key))).isEqualTo(key);
      if (i % 3 == 0) {
        table.remove(key);
      }
    }
    assertThat(table.find(0)).isNull();
    assertThat(table.find(-1)).isNull();
    assertThat(table.find(Long.MAX_VALUE)).isNull();
  }

  @Test
  void generations_beginAnew_withoutZero() {
    var table = new OperationTable(1, 3);
    var operation = new Idle();
    for (int i = 0; i < 9; i++) {
      long key = table.insert(operation);
      assertThat(key >>> 32).isEqualTo(i % 3 + 1);
      assertThat(table.remove(key)).isTrue();
    }
  }

  @Test
  void itBehavesLikeAMap_whileItGrows(TestSeed seed) {
    var random = seed.random();
    var table = new OperationTable(2);
    Map<Long, Operation> model = new HashMap<>();
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (random.nextInt(5) < 3) {
        var operation = new Idle();
        long key = table.insert(operation);
        assertThat(model.put(key, operation)).isNull();
        keys.add(key);
      } else if (!keys.isEmpty()) {
        long key = keys.get(random.nextInt(keys.size()));
        assertThat(table.remove(key)).isEqualTo(model.remove(key) != null);
      }
      assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(table.seemsEmpty()).isEqualTo(model.isEmpty());
    }
    for (long key : keys) {
      assertThat(table.find(key)).isSameAs(model.get(key));
    }
    List<Operation> found = new ArrayList<>();
    for (int slot = 0; slot < table.slots(); slot++) {
      Operation operation = table.inSlot(slot);
      if (operation != null) {
        found.add(operation);
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(model.values());
  }

  @Test
  void aNumber_takesNoMemory() {
    var table = new OperationTable(4);
    var operation = new Idle();
    Runnable numbers =
        () -> {
          for (int i = 0; i < 1000; i++) {
            table.remove(table.insert(operation));
          }
        };
    numbers.run();
    assertThat(Memory.allocatedByEach(numbers)).isZero();
  }
}
