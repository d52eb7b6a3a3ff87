package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class SlotTableTest {

  @Test
  void aRemovedKey_findsNothing_alsoWhenItsSlotIsTakenAgain() {
    var table = new SlotTable<String>(1);
    long first = table.insert("first");
    assertThat(table.find(first)).isEqualTo("first");
    assertThat(table.remove(first)).isTrue();
    assertThat(table.remove(first)).isFalse();
    assertThat(table.find(first)).isNull();
    long second = table.insert("second");
    assertThat((int) second).as("the same slot").isEqualTo((int) first);
    assertThat(table.find(first)).isNull();
    assertThat(table.remove(first)).isFalse();
    assertThat(table.find(second)).isEqualTo("second");
  }

  @Test
  void keys_arePositive_andNeverZero() {
    var table = new SlotTable<Integer>(1);
    for (int i = 0; i < 1000; i++) {
      long key = table.insert(i);
      assertThat(key).isPositive();
      if (i % 3 == 0) {
        table.remove(key);
      }
    }
    assertThat(table.find(0)).isNull();
    assertThat(table.find(-1)).isNull();
    assertThat(table.find(Long.MAX_VALUE)).isNull();
  }

  @Test
  void itBehavesLikeAMap_whileItGrows(TestSeed seed) {
    var random = seed.random();
    var table = new SlotTable<Integer>(2);
    Map<Long, Integer> model = new HashMap<>();
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      if (random.nextInt(5) < 3) {
        long key = table.insert(i);
        assertThat(model.put(key, i)).isNull();
        keys.add(key);
      } else if (!keys.isEmpty()) {
        long key = keys.get(random.nextInt(keys.size()));
        assertThat(table.remove(key)).isEqualTo(model.remove(key) != null);
      }
    }
    for (long key : keys) {
      assertThat(table.find(key)).isEqualTo(model.get(key));
    }
    assertThat(table.size()).isEqualTo(model.size());
    List<Integer> present = new ArrayList<>();
    for (int slot = 0; slot < table.slots(); slot++) {
      Integer item = table.at(slot);
      if (item != null) {
        present.add(item);
      }
    }
    assertThat(present).containsExactlyInAnyOrderElementsOf(model.values());
  }

  @Test
  void manyThreads_neverFindAStranger(TestSeed seed) throws Exception {
    var table = new SlotTable<long[]>(1);
    Race.run(
        4,
        who -> {
          var random = seed.derive(who).random();
          for (int i = 0; i < 5000; i++) {
            long[] mine = {random.nextLong()};
            long key = table.insert(mine);
            assertThat(table.find(key)).isSameAs(mine);
            assertThat(table.remove(key)).isTrue();
            assertThat(table.find(key)).isNull();
          }
        });
    assertThat(table.size()).isZero();
  }
}
