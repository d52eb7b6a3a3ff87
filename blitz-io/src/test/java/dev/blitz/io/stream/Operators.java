package dev.blitz.io.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** All operators, each with what it makes of a list. */
final class Operators {
  private Operators() {}

  /**
   * One operator.
   *
   * @param name for reports
   * @param operator puts it on a source
   * @param reference what comes out
   */
  record Operator(
      String name,
      Function<Source<Integer>, Source<?>> operator,
      Function<List<Integer>, List<?>> reference) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Operator> all() {
    return Stream.of(
        new Operator("map", s -> s.map(i -> i + 1), l -> l.stream().map(i -> i + 1).toList()),
        new Operator(
            "filter",
            s -> s.filter(i -> i % 3 == 0),
            l -> l.stream().filter(i -> i % 3 == 0).toList()),
        new Operator("take", s -> s.take(4), l -> l.stream().limit(4).toList()),
        new Operator("take nothing", s -> s.take(0), l -> List.of()),
        new Operator(
            "takeWhile",
            s -> s.takeWhile(i -> i < 5),
            l -> l.stream().takeWhile(i -> i < 5).toList()),
        new Operator("skip", s -> s.skip(3), l -> l.stream().skip(3).toList()),
        new Operator("scan", s -> s.scan(0, Integer::sum), Operators::sums),
        new Operator("whenDone", s -> s.whenDone(() -> {}), l -> l),
        new Operator(
            "map, filter, take, map",
            s -> s.map(i -> i * 2).filter(i -> i % 3 == 0).take(2).map(i -> "" + i),
            l ->
                l.stream()
                    .map(i -> i * 2)
                    .filter(i -> i % 3 == 0)
                    .limit(2)
                    .map(i -> "" + i)
                    .toList()));
  }

  private static List<Integer> sums(List<Integer> items) {
    List<Integer> sums = new ArrayList<>();
    int sum = 0;
    for (int i : items) {
      sum += i;
      sums.add(sum);
    }
    return sums;
  }
}
