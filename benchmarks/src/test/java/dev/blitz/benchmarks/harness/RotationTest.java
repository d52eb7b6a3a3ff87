package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RotationTest {
  @Test
  void order_ofTwo_alternatesEvenly() {
    var pair = List.of("a", "b");
    assertThat(Rotation.order(pair, 0)).containsExactly("a", "b");
    assertThat(Rotation.order(pair, 1)).containsExactly("b", "a");
    assertThat(Rotation.order(pair, 2)).containsExactly("b", "a");
    assertThat(Rotation.order(pair, 3)).containsExactly("a", "b");
  }

  @Test
  void order_overTwoCycles_everyoneIsFirstAndLastEquallyOften() {
    var names = List.of("a", "b", "c");
    Map<String, Integer> first = new HashMap<>();
    Map<String, Integer> last = new HashMap<>();
    for (int round = 0; round < 2 * names.size(); round++) {
      var order = Rotation.order(names, round);
      assertThat(order).containsExactlyInAnyOrderElementsOf(names);
      first.merge(order.getFirst(), 1, Integer::sum);
      last.merge(order.getLast(), 1, Integer::sum);
    }
    assertThat(first.values()).containsOnly(2);
    assertThat(last.values()).containsOnly(2);
  }

  @Test
  void order_secondCycle_reversesWhoFollowsWhom() {
    assertThat(Rotation.order(List.of("a", "b", "c"), 3)).containsExactly("c", "b", "a");
  }

  @Test
  void order_ofNobody_isEmpty() {
    assertThat(Rotation.order(List.of(), 5)).isEmpty();
  }
}
