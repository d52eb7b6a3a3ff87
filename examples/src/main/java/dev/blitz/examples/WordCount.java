package dev.blitz.examples;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.iter.Iter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Counts the words of a text, or of a file of any size, in parallel and shows the most frequent
 * ones.
 *
 * <p>Shows: pipelines, flatMap, Java's collectors, sorted and limit. Run: {@code ./blitz example
 * WordCount} or {@code ./blitz example WordCount FILE}.
 */
public final class WordCount {
  private static final int LINES = 20_000;
  private static final int PIECE = 1 << 18;
  private static final List<String> VERSES =
      List.of(
          "so much depends upon",
          "a red wheel barrow",
          "glazed with rain water",
          "beside the hens");

  private WordCount() {}

  /** Prints the three most frequent words; of the file that the argument names. */
  public static void main(String[] args) throws IOException {
    if (args.length == 0) {
      print(count(Parallel.range(0, LINES).mapToObj(i -> VERSES.get(i % 7 % VERSES.size()))));
      return;
    }
    try (var file = FileChannel.open(Path.of(args[0]));
        var arena = Arena.ofShared()) {
      var text = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
      int pieces = Math.toIntExact((text.byteSize() + PIECE - 1) / PIECE);
      print(count(Parallel.range(0, pieces).mapToObj(i -> piece(text, (long) i * PIECE))));
    }
  }

  /** About a piece of the text from {@code start} on: its ends are moved on to the next space. */
  private static String piece(MemorySegment text, long start) {
    long from = start == 0 ? 0 : space(text, start);
    long to = space(text, Math.min(start + PIECE, text.byteSize()));
    byte[] bytes = text.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static long space(MemorySegment text, long from) {
    long i = from;
    while (i < text.byteSize()
        && text.get(ValueLayout.JAVA_BYTE, i) != ' '
        && text.get(ValueLayout.JAVA_BYTE, i) != '\n') {
      i++;
    }
    return i;
  }

  private static Map<String, Long> count(Iter<String> lines) {
    return lines
        .<String>flatMap(line -> Iter.of(line.split("\\s+")))
        .filter(word -> !word.isEmpty())
        .collect(groupingBy(identity(), counting()));
  }

  private static void print(Map<String, Long> counts) {
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
