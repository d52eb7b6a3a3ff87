package dev.blitz.benchmarks;

import dev.blitz.benchmarks.harness.ConsoleReport;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.GroupResult;
import dev.blitz.benchmarks.harness.PerformanceDocument;
import dev.blitz.benchmarks.harness.ResultFiles;
import dev.blitz.benchmarks.harness.RunComparison;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The command line of the benchmarks. */
public final class Main {
  private static final String HELP =
      """
      Usage: bench [GROUP ...] [options]     measure all groups, or those named
             bench list                      name the groups and their workloads
             bench draw                      write docs/performance.md anew from what was measured
             bench compare OLD.json NEW.json what changed between two runs of a group
             bench jmh [ARGUMENTS]           run the JMH benchmarks; -l lists them
      Options:
        --quick        a short look instead of figures that count
        --gc NAME      g1 (default), parallel or zgc
        --only TEXT    only workloads whose name contains TEXT; implies --no-docs
        --add          with --only: put these rows beside those in docs/performance.md
        --no-docs      leave docs/performance.md alone; JSON goes to results/
        --docs DIR     the folder of performance.md, instead of docs
        --results DIR  the folder for JSON with --no-docs, instead of results
      """;

  private Main() {}

  /**
   * Runs the command and ends the JVM: 0 if all went well (a missed target is a result, not a
   * failure), 1 if something could not be measured, 2 if the command line is wrong.
   *
   * @param args see {@code help}
   * @throws Exception if JMH fails
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("jmh")) {
      org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
      return;
    }
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) throws InterruptedException {
    try {
      String command = args.isEmpty() ? "" : args.getFirst();
      switch (command) {
        case "help", "-h", "--help" -> out.print(HELP);
        case "list" -> list(out);
        case "draw" -> draw(out);
        case "compare" -> compare(args, out);
        default -> measure(Options.parse(args), out);
      }
      return 0;
    } catch (UsageException e) {
      err.println("bench: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      err.println("bench: " + e.getMessage());
      return 1;
    }
  }

  private static void list(PrintStream out) {
    for (var group : Groups.all()) {
      out.println(group.name() + ": " + group.question());
      group.workloads().forEach(w -> out.println("  " + w.name()));
    }
  }

  private static void draw(PrintStream out) throws IOException {
    out.println("Wrote " + new PerformanceDocument(Path.of("docs"), Groups.names()).regenerate());
  }

  private static void compare(List<String> args, PrintStream out) throws IOException {
    if (args.size() != 3) {
      throw new UsageException("compare needs two result files");
    }
    var before = ResultFiles.read(Path.of(args.get(1)));
    var after = ResultFiles.read(Path.of(args.get(2)));
    if (!before.group().equals(after.group())) {
      throw new UsageException("two groups: " + before.group() + ", " + after.group());
    }
    out.print(RunComparison.table(before, after));
    out.println("A change in brackets lies within the quartiles of both runs: it may be noise.");
  }

  private static void measure(Options options, PrintStream out)
      throws IOException, InterruptedException {
    var names = options.groups().isEmpty() ? Groups.names() : options.groups();
    // Every name is checked before minutes are spent on the first.
    List<Group> groups = names.stream().map(Groups::named).toList();
    for (var group : groups) {
      var result = new GroupRun(group, options).run();
      ConsoleReport.print(result, out);
      store(result, options, out);
    }
  }

  private static void store(GroupResult result, Options options, PrintStream out)
      throws IOException {
    if (options.document()) {
      var document = new PerformanceDocument(options.docs(), Groups.names());
      out.println("Wrote " + (options.add() ? document.add(result) : document.update(result)));
    } else {
      out.println("Wrote " + ResultFiles.writeInto(result, options.results()));
    }
  }
}
