package dev.blitz.io.stream;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
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
        new Operator(
            "mapAsync, ready", s -> s.mapAsync(3, i -> Futures.ready(i + 1)), Operators::plusOne),
        new Operator(
            "mapAsync, the later the sooner",
            s -> s.mapAsync(4, i -> after(20 - i % 20, i + 1)),
            Operators::plusOne),
        new Operator(
            "mapAsync, one at a time",
            s -> s.mapAsync(1, i -> after(i % 3, i + 1)),
            Operators::plusOne),
        new Operator(
            "mapAsyncUnordered",
            s -> s.mapAsyncUnordered(4, i -> Futures.ready(i + 1)),
            Operators::plusOne),
        new Operator(
            "flatMap",
            s -> s.flatMap(i -> i % 2 == 0 ? Source.of(i, i + 1) : Source.<Integer>empty()),
            l -> l.stream().filter(i -> i % 2 == 0).flatMap(i -> Stream.of(i, i + 1)).toList()),
        new Operator("merge", s -> s.merge(Source.empty()), l -> l),
        new Operator("mergeAll of many", s -> Source.mergeAll(withEmpty(s, 20)), l -> l),
        new Operator(
            "zip",
            s -> s.zip(Source.from(IntStream.range(0, 6).boxed().toList()), Integer::sum),
            l -> IntStream.range(0, Math.min(6, l.size())).map(i -> l.get(i) + i).boxed().toList()),
        new Operator("chunk", s -> s.chunk(4), l -> chunks(l, 4)),
        new Operator(
            "chunk with a time", s -> s.chunk(4, Duration.ofSeconds(1)), l -> chunks(l, 4)),
        new Operator("throttle", s -> s.throttle(Duration.ofMillis(1)), l -> l),
        new Operator(
            "debounce",
            s -> s.debounce(Duration.ofMillis(1)),
            l -> l.isEmpty() ? l : List.of(l.getLast())),
        new Operator("timeout", s -> s.timeout(Duration.ofSeconds(Long.MAX_VALUE)), l -> l),
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

  private static Future<Integer> after(int millis, int value) {
    return Task.sleep(Duration.ofMillis(millis)).map(done -> value);
  }

  private static List<Integer> plusOne(List<Integer> items) {
    return items.stream().map(i -> i + 1).toList();
  }

  private static List<Source<Integer>> withEmpty(Source<Integer> source, int others) {
    List<Source<Integer>> all = new ArrayList<>(List.of(source));
    for (int i = 0; i < others; i++) {
      all.add(i / 2, Source.empty());
    }
    return all;
  }

  private static List<List<Integer>> chunks(List<Integer> items, int size) {
    List<List<Integer>> chunks = new ArrayList<>();
    for (int i = 0; i < items.size(); i += size) {
      chunks.add(items.subList(i, Math.min(items.size(), i + size)));
    }
    return chunks;
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
