package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The order of contenders in a round. Each begins equally often; every second cycle runs backwards,
 * so that nobody always follows the same neighbour and inherits its heat or its idle cores.
 */
final class Rotation {
  private Rotation() {}

  static <T> List<T> order(List<T> contenders, int round) {
    if (contenders.isEmpty()) {
      return List.of();
    }
    var order = new ArrayList<>(contenders);
    Collections.rotate(order, -round);
    if (round / contenders.size() % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}
