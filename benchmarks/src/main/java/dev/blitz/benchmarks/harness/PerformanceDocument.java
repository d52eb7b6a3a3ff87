package dev.blitz.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * {@code performance.md}, with what each group asks and what it missed, and in {@code performance/}
 * a page for each group with its chart and all its rows. They are made anew from all results stored
 * there: running one group changes that group's section and page alone.
 */
public final class PerformanceDocument {
  private static final String HEAD =
      """
      # Performance

      Written by `./blitz bench`, from the results in `performance/`; do not edit by hand.
      `./blitz bench GROUP` measures one group and rewrites its section and its page, which has the chart and all rows.

      Beside it: [servers](performance/servers.md), two of the examples against Redis and Netty, and
      [what was tried](performance/attempts.md), the figures behind decisions.

      ## Method

      - A figure counts only as a ratio to a peer measured in the same run: machines differ and are noisy, ratios less so.
      - Each group has a JVM of its own. Every contender is warmed up, then runs one time slice per round, in rotated order.
      - The ratio is peer / subject within the same round; above 1 the subject is better. Shown: median [lower..upper quartile].
      - A target holds if the median reaches it and the lower quartile reaches 0.95 of it; rows below 1 ns are only reported.
      - Held and missed: the rows whose target holds, and those whose target does not; a row without one is neither.
      - A row marked polluted was measured in a JVM that has run all other rows of its group, and counts; the same row marked clean
        in one that has run nothing else, and is only reported.
      - CPU time is that of the whole process (its JVM threads included), bytes are what all threads allocated, per operation.
      """;

  private final Path folder;
  private final List<String> order;

  /**
   * The document in a folder.
   *
   * @param docs holds the document, and the results in {@code performance/}
   * @param order names of groups; those not named follow by name
   */
  public PerformanceDocument(Path docs, List<String> order) {
    this.folder = docs;
    this.order = List.copyOf(order);
  }

  /**
   * Stores a result and writes the document.
   *
   * @param result replaces the former one of the same group and collector
   * @return the document
   * @throws IOException if that fails
   */
  public Path update(GroupResult result) throws IOException {
    ResultFiles.writeInto(result, folder.resolve("performance"));
    return regenerate();
  }

  /**
   * As {@link #update}, but rows of the stored result stay unless they were measured anew: a long
   * group can be measured in parts.
   *
   * @param part some rows of a group
   * @return the document
   * @throws IOException if that fails
   */
  public Path add(GroupResult part) throws IOException {
    var results = folder.resolve("performance");
    for (var stored : ResultFiles.readAll(results)) {
      if (stored.key().equals(part.key())) {
        return update(stored.with(part));
      }
    }
    return update(part);
  }

  /**
   * Draws the charts and writes the document from what is stored.
   *
   * @return the document
   * @throws IOException if that fails
   */
  public Path regenerate() throws IOException {
    var stored = ResultFiles.readAll(folder.resolve("performance"));
    stored.sort(Comparator.comparingInt(this::position).thenComparing(GroupResult::key));
    var text = new StringBuilder(HEAD);
    text.append("\n## Summary\n\n").append(Summary.table(stored, "#").toMarkdown());
    for (var result : stored) {
      text.append('\n').append(section(result));
    }
    var document = folder.resolve("performance.md");
    Files.writeString(document, text);
    Summary.writeInto(folder.resolveSibling("README.md"), stored);
    return document;
  }

  private int position(GroupResult result) {
    int index = order.indexOf(result.group());
    return index < 0 ? order.size() : index;
  }

  /** What the group asks and what it missed; all else is on its page. */
  private String section(GroupResult result) throws IOException {
    var page = folder.resolve("performance").resolve(result.key() + ".md");
    Files.writeString(page, page(result));
    var text = new StringBuilder();
    text.append("## ").append(result.key()).append("\n\n").append(head(result));
    var missed = ResultTables.missed(result);
    if (!missed.isEmpty()) {
      text.append(missed.toMarkdown()).append('\n');
    }
    return text.append("[All rows of %1$s](performance/%1$s.md)\n".formatted(result.key()))
        .toString();
  }

  private String page(GroupResult result) throws IOException {
    var text = new StringBuilder();
    text.append("# ").append(result.key()).append("\n\n").append(head(result));
    text.append("The method is that of [all groups](../performance.md#method).\n\n");
    if (draw(result)) {
      text.append("![Chart of %1$s](%1$s.svg)\n\n".formatted(result.key()));
    }
    text.append("## Beside its peers\n\n");
    text.append(ResultTables.comparison(result).toMarkdown());
    text.append("\n## All contenders\n\n");
    return text.append(ResultTables.contenders(result).toMarkdown()).toString();
  }

  private static String head(GroupResult result) {
    var where = result.environment();
    var plan = result.plan();
    return "%s%n%n%s, %s, %s, %s, %s; %s plan: %d rounds of %d ms. %s.%n%n"
        .formatted(
            result.question(),
            where.jvm(),
            where.gc(),
            where.coresInWords(),
            where.system(),
            where.date(),
            plan.name(),
            plan.rounds(),
            plan.sliceMillis(),
            ResultTables.summary(result))
        .replace("\r\n", "\n");
  }

  /** Whether there is a chart; a former one beside other figures would be a lie. */
  private boolean draw(GroupResult result) throws IOException {
    var file = folder.resolve("performance").resolve(result.key() + ".svg");
    Optional<String> chart = CurveChart.draw(result).or(() -> RatioChart.draw(result));
    if (chart.isPresent()) {
      Files.writeString(file, chart.get());
    } else {
      Files.deleteIfExists(file);
    }
    return chart.isPresent();
  }
}
