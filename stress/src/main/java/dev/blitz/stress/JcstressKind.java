package dev.blitz.stress;

import static java.util.stream.Collectors.joining;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/** Runs jcstress in a child JVM and grades its result file, rather than trust its exit code. */
record JcstressKind(PrintStream out) implements StressKind {
  /**
   * Every test has two actors; more CPUs would only run several tests side by side and disturb each
   * other.
   */
  private static final String CPUS = "2";

  /** Over and above three times the plan: probing the machine and writing the report. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private static final String FORK_FLAGS =
      "--add-opens=java.base/java.lang=ALL-UNNAMED --enable-native-access=ALL-UNNAMED";

  private static final String PROGRESS = "(Results: ";

  @Override
  public String name() {
    return "jcstress";
  }

  /** Each of its tests runs in several JVM configurations. */
  @Override
  public int weight() {
    return 2;
  }

  @Override
  public Tally run(Selection selection, Duration budget) throws IOException, InterruptedException {
    var tally = Tally.empty();
    TestList.tests().stream().filter(selection.predicate()).forEach(tally.declared()::add);
    if (tally.declared().isEmpty()) {
      return tally;
    }
    int tests = tally.declared().size();
    var effort = JcstressEffort.within(budget, tests);
    var child = new ChildJvm(Workplace.fresh(name()));
    var args = new ArrayList<String>();
    args.addAll(List.of("-c", CPUS, "-r", "report", "-jvmArgsPrepend", FORK_FLAGS));
    args.addAll(List.of("-t", exactly(tally.declared())));
    args.addAll(effort.options());
    Duration limit = effort.expected(tests).multipliedBy(3).plus(GRACE);
    String problem = child.run(Main.class, List.of(), args, limit, this::showProgress);
    grade(results(child.directory()), tally);
    // jcstress also exits with an error when a test failed, which is already told better.
    if (!problem.isEmpty() && tally.failures().isEmpty()) {
      tally.failures().put(name(), problem);
    }
    return tally;
  }

  private void showProgress(String line) {
    if (line.startsWith(PROGRESS)) {
      out.println("  " + line.substring(PROGRESS.length(), line.length() - 1));
    }
  }

  private static String exactly(Iterable<String> names) {
    var quoted = new ArrayList<String>();
    names.forEach(name -> quoted.add(Pattern.quote(name)));
    return quoted.stream().collect(joining("|", "^(?:", ")$"));
  }

  private static List<TestResult> results(Path directory) throws IOException {
    var collector = new InProcessCollector();
    try (var files = Files.newDirectoryStream(directory, "jcstress-results-*.bin.gz")) {
      for (Path file : files) {
        try {
          var reader = new DiskReadCollector(file.toString(), collector);
          try {
            reader.dump();
          } finally {
            reader.close();
          }
        } catch (EOFException e) {
          // The run was killed while it wrote: what is not here counts as not executed.
        } catch (ClassNotFoundException e) {
          throw new IOException("Not a result of this jcstress: " + file, e);
        }
      }
    }
    return ReportUtils.mergedByName(collector.getTestResults());
  }

  private static void grade(List<TestResult> results, Tally tally) {
    for (TestResult result : results) {
      boolean passed = ReportUtils.statusToPassed(result);
      // A result without a sample is a test that never ran.
      if (result.getTotalCount() > 0 || !passed) {
        tally.executed().add(result.getName());
      }
      if (!passed) {
        tally.failures().put(result.getName(), describe(result));
      }
    }
  }

  private static String describe(TestResult result) {
    var lines = new ArrayList<String>();
    lines.add("status " + result.status());
    lines.addAll(result.grading().failureMessages);
    lines.addAll(result.getMessages());
    return String.join("\n", lines);
  }
}
