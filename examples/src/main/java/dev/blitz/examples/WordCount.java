package dev.blitz.examples;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.iter.Iter;
import java.util.List;
import java.util.Map;

/**
 * Counts the words of a text in parallel and shows the most frequent ones.
 *
 * <p>Shows: pipelines, flatMap, Java's collectors, sorted and limit. Run: {@code ./blitz example
 * WordCount}.
 */
public final class WordCount {
  private static final int LINES = 20_000;
  private static final List<String> VERSES =
      List.of(
          "so much depends upon",
          "a red wheel barrow",
          "glazed with rain water",
          "beside the hens");

  private WordCount() {}

  /** Prints the three most frequent words. */
  public static void main(String[] args) {
    List<String> lines =
        Parallel.range(0, LINES).mapToObj(i -> VERSES.get(i % 7 % VERSES.size())).toList();
    Map<String, Long> counts =
        Parallel.<String>iter(lines)
            .<String>flatMap(line -> Iter.of(line.split(" ")))
            .collect(groupingBy(identity(), counting()));
    Parallel.iter(List.copyOf(counts.entrySet()))
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(3)
        .toList()
        .forEach(word -> IO.println(word.getKey() + " " + word.getValue()));
  }
}
