package dev.blitz.parallel.iter;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.array.Scatter;
import dev.blitz.parallel.array.SeededRandom;
import dev.blitz.parallel.array.SortedArrays;
import dev.blitz.parallel.sort.ParallelSort;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What the guide's page on parallel data shows. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class DataGuideTest {
  private record Person(String name, int age, String city) {}

  private static final List<Person> PEOPLE =
      List.of(
          new Person("Ada", 36, "London"),
          new Person("Kurt", 71, "Princeton"),
          new Person("Alan", 41, "London"));

  @Test
  void pipelines() {
    double[] xs = {1, 2, 3};
    double[] ys = {4, 5, 6};
    assertThat(Parallel.iter(xs).zip(ys, (x, y) -> x * y).sum()).isEqualTo(32);
    assertThat(Parallel.<Person>iter(PEOPLE).filter(p -> p.age() > 40).findFirst())
        .contains(PEOPLE.get(1));
    assertThat(Parallel.range(0, 4).map(i -> i * 2).toArray()).containsExactly(0, 2, 4, 6);
    Map<String, List<Person>> byCity =
        Parallel.<Person>iter(PEOPLE).collect(groupingBy(Person::city));
    assertThat(byCity.get("London")).containsExactly(PEOPLE.get(0), PEOPLE.get(2));
    long[] filled = new long[5];
    Parallel.rangeLong(0, filled.length).map(i -> i * i).into(filled);
    assertThat(filled).containsExactly(0, 1, 4, 9, 16);
  }

  @Test
  void arrays() {
    assertThat(SortedArrays.merge(new long[] {1, 4}, new long[] {2, 4}))
        .containsExactly(1, 2, 4, 4);
    long[] once = new long[20];
    long[] again = new long[20];
    SeededRandom.of(42).fill(once);
    SeededRandom.of(42).fill(again);
    assertThat(once).isEqualTo(again);
    SeededRandom.of(42).shuffle(again);
    assertThat(again).isNotEqualTo(once).containsExactlyInAnyOrder(once);
    assertThat(Scatter.flatten(new long[][] {{1, 2}, {}, {3}})).containsExactly(1, 2, 3);
    long[] target = new long[3];
    Scatter.scatter(new long[] {7, 8, 9}, new int[] {2, 0, 1}, target);
    assertThat(target).containsExactly(8, 9, 7);
  }

  @Test
  void maps() {
    Map<String, Person> byName = Parallel.<Person>iter(PEOPLE).collect(toMap(Person::name, p -> p));
    var shared = new ConcurrentHashMap<String, Person>();
    Parallel.<Person>iter(PEOPLE).forEach(p -> shared.put(p.name(), p));
    assertThat(shared).isEqualTo(byName).hasSize(3);
    assertThat(Parallel.<Person>iter(PEOPLE).map(Person::name).collect(joining(", ")))
        .isEqualTo("Ada, Kurt, Alan");
    assertThat(Parallel.<Person>iter(PEOPLE).collect(groupingBy(Person::city, counting())))
        .containsEntry("London", 2L);
  }

  @Test
  void recipes() {
    int[] ages = {3, 5, 3, 119};
    long[] counts = Parallel.iter(ages).histogram(120);
    assertThat(counts[3]).isEqualTo(2);
    assertThat(counts[119]).isEqualTo(1);
    long[][] rows = {{1, 2}, {}, {3}};
    assertThat(Parallel.iter(rows).flatMapToLong(Parallel::iter).toArray())
        .containsExactly(1, 2, 3);
    assertThat(Parallel.iter(ages).greatest(2)).containsExactly(119, 5);
    assertThat(Parallel.<Person>iter(PEOPLE).greatest(1, comparingInt(Person::age)))
        .containsExactly(PEOPLE.get(1));
  }

  @Test
  void sorts() {
    Person[] people = PEOPLE.toArray(Person[]::new);
    Parallel.sort(people, comparingInt(Person::age));
    assertThat(people).extracting(Person::name).containsExactly("Ada", "Alan", "Kurt");
    ParallelSort.sortByLong(people, p -> -p.age());
    assertThat(people).extracting(Person::name).containsExactly("Kurt", "Alan", "Ada");
    assertThat(ParallelSort.argsort(new double[] {3, 1, 2})).containsExactly(1, 2, 0);
  }
}
