package dev.blitz.benchmarks;

import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.GroupRunner;
import dev.blitz.benchmarks.harness.Plan;
import dev.blitz.benchmarks.harness.Progress;
import dev.blitz.benchmarks.harness.ResultFiles;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.benchmarks.harness.WorkloadResult.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The JVM in which things are measured; {@link GroupRun} starts it. */
final class Child {
  /** Selects every workload. */
  static final String ALL = "*";

  /** Before the name of one workload: selects it alone. */
  static final String EXACTLY = "=";

  private Child() {}

  static List<String> arguments(Group group, boolean quick, String selection, Profile profile) {
    return List.of(group.name(), quick ? "quick" : "full", selection, profile.name());
  }

  /** Arguments as made by {@link #arguments}, then the file for the result. */
  public static void main(String[] args) throws Exception {
    var group = Groups.named(args[0]);
    var plan = args[1].equals("quick") ? Plan.quick() : Plan.full();
    var runner = new GroupRunner(plan, new Progress(System.out));
    var result = runner.run(group, selection(args[2]), Profile.valueOf(args[3]));
    ResultFiles.write(result, Path.of(args[4]));
    // A contender's forgotten thread must not keep the whole run waiting.
    System.exit(0);
  }

  static Predicate<Workload> selection(String text) {
    if (text.equals(ALL)) {
      return w -> true;
    }
    return text.startsWith(EXACTLY)
        ? w -> w.name().equals(text.substring(EXACTLY.length()))
        : w -> w.name().contains(text);
  }
}
