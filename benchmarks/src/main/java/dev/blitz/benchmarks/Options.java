package dev.blitz.benchmarks;

import dev.blitz.benchmarks.harness.Gc;
import dev.blitz.benchmarks.harness.Plan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What a run was asked for.
 *
 * @param groups names, all groups if empty
 * @param only workloads whose name contains this, "" for all; documented only with {@code add}
 * @param add whether the rows of a part join those that are documented already
 * @param quick whether to take a short look
 * @param gc collector of the measured JVMs
 * @param document whether to rewrite the document
 * @param docs its folder
 * @param results where JSON goes if nothing is documented
 */
record Options(
    List<String> groups,
    String only,
    boolean add,
    boolean quick,
    Gc gc,
    boolean document,
    Path docs,
    Path results) {

  static Options parse(List<String> arguments) {
    List<String> groups = new ArrayList<>();
    String only = "";
    boolean add = false;
    boolean quick = false;
    Gc gc = Gc.G1;
    boolean document = true;
    Path docs = Path.of("docs");
    Path results = Path.of("results");
    var rest = arguments.iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "--quick" -> quick = true;
        case "--no-docs" -> document = false;
        case "--add" -> add = true;
        case "--only" -> only = value(word, rest);
        case "--gc" -> gc = gc(value(word, rest));
        case "--docs" -> docs = Path.of(value(word, rest));
        case "--results" -> results = Path.of(value(word, rest));
        default -> {
          if (word.startsWith("-")) {
            throw new UsageException("unknown option " + word + ": try help");
          }
          groups.add(word);
        }
      }
    }
    return new Options(
        List.copyOf(groups),
        only,
        add,
        quick,
        gc,
        document && (add || only.isEmpty()),
        docs,
        results);
  }

  Plan plan() {
    return quick ? Plan.quick() : Plan.full();
  }

  private static Gc gc(String name) {
    try {
      return Gc.parse(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException("unknown collector " + name + ": g1, parallel or zgc");
    }
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new UsageException(option + " needs a value");
    }
    return rest.next();
  }
}
