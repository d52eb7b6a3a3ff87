package dev.blitz.stress;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Main class of the JVM that runs seeded programs: arguments are selection, budget in milliseconds,
 * outcome file.
 */
final class SeededChild {
  /** How long a program may overstay, beyond twice its budget, before it counts as hung. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private SeededChild() {}

  static void main(String[] args) throws IOException, InterruptedException {
    Predicate<String> selected = new Selection(args[0]).predicate();
    long budgetMillis = Long.parseLong(args[1]);
    Path file = Path.of(args[2]).toAbsolutePath();
    var outcomes = new OutcomeFile(file);
    long seed = Long.getLong(StressMain.SEED, 0);
    var programs =
        ServiceLoader.load(SeededStress.class).stream()
            .filter(program -> selected.test(program.type().getName()))
            .toList();
    programs.forEach(program -> outcomes.declared(program.type().getName()));
    for (var program : programs) {
      Duration budget = Duration.ofMillis(budgetMillis / programs.size());
      String name = program.type().getName();
      var run =
          new FutureTask<>(() -> {
            program.get().run(seed, budget);
            return name;
          });
      Thread.ofPlatform().name(name).daemon().start(run);
      try {
        run.get(budget.multipliedBy(2).plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        outcomes.passed(name);
        show("ok      " + name);
      } catch (ExecutionException e) {
        var trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        outcomes.failed(name, "seed " + seed + "\n" + trace);
        show("FAILED  " + name);
      } catch (TimeoutException e) {
        Path dump = file.resolveSibling("threads.txt");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
        outcomes.failed(name, "seed " + seed + ": hung; threads are in " + dump);
        show("HUNG    " + name);
        // What hangs may hold a core or a lock: nothing after it would mean much.
        Runtime.getRuntime().halt(1);
      }
    }
  }

  @SuppressWarnings("SystemOut") // The parent reads standard output.
  private static void show(String line) {
    System.out.println(ReportingChild.PROGRESS + line);
  }
}
