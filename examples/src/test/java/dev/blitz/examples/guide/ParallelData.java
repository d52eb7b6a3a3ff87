package dev.blitz.examples.guide;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.array.Scatter;
import dev.blitz.parallel.array.SeededRandom;
import dev.blitz.parallel.array.SortedArrays;
import dev.blitz.parallel.sort.ParallelSort;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** docs/guide/parallel-data.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
final class ParallelData {
  private ParallelData() {}

  record Person(String city, int age) {}

  record Order(long id, boolean overdue, long timestamp) {}

  static void pipelines(
      long[] longs, double[] xs, double[] ys, List<Order> orders, List<Person> people) {
    long sum = Parallel.iter(longs).sum();
    double dot = Parallel.iter(xs).zip(ys, (x, y) -> x * y).sum();
    var first = Parallel.iter(orders).filter(Order::overdue).findFirst();
    int[] twice = Parallel.range(0, 1_000_000).map(i -> i * 2).toArray();
    var byCity = Parallel.iter(people).collect(groupingBy(Person::city));
  }

  static void sorts(
      long[] longs, Person[] people, File[] files, Order[] orders, int[] scores, double[] prices) {
    Parallel.sort(longs);
    Parallel.sort(people, comparingInt(Person::age));
    ParallelSort.sortUnstable(people, comparingInt(Person::age));
    ParallelSort.sortByCachedKey(files, File::getName);
    ParallelSort.sortByLong(orders, Order::timestamp);
    ParallelSort.sortDescending(scores);
    int[] places = ParallelSort.argsort(prices);
  }

  static void arrays(
      long[] today,
      long[] yesterday,
      long[] longs,
      String[] cards,
      long[][] rows,
      long[] values,
      int[] places,
      long[] target) {
    long[] all = SortedArrays.merge(today, yesterday);
    SeededRandom.of(42).fill(longs);
    SeededRandom.of(42).shuffle(cards);
    long[] flat = Scatter.flatten(rows);
    Scatter.scatter(values, places, target);
  }

  static void maps(List<Order> orders) {
    Map<Long, Order> byId = Parallel.iter(orders).collect(toMap(Order::id, o -> o));
    var shared = new ConcurrentHashMap<Long, Order>();
    Parallel.iter(orders).forEach(o -> shared.put(o.id(), o));
  }
}
