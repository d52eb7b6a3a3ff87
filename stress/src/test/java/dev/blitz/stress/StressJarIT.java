package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The runnable jar as a person runs it; the build says where it is. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StressJarIT {
  private static final File TARGET = new File(System.getProperty("blitz.stress.target"));

  @Test
  void controls_areAllExecutedAndPass() throws Exception {
    Outcome outcome = run(List.of("-Dblitz.seed=42"), "0.05", "control");

    assertThat(outcome.exit).as(outcome.text()).isZero();
    assertThat(outcome.lines.getFirst()).startsWith("Seed 42 ");
    assertThat(outcome.lines.getLast()).isEqualTo("3 declared, 3 executed, 0 failed");
  }

  @Test
  void nothingSelected_exitsWithOne() throws Exception {
    Outcome outcome = run(List.of(), "0.01", "NoSuchCheck");

    assertThat(outcome.exit).as(outcome.text()).isEqualTo(1);
    assertThat(outcome.lines.getLast()).isEqualTo("0 declared, 0 executed, 0 failed");
  }

  @Test
  void nonsense_exitsWithOneAndTheUsage() throws Exception {
    assertUsage(run(List.of(), "soon"));
    assertUsage(run(List.of(), "1", "("));
    assertUsage(run(List.of(), "1", "a", "b"));
  }

  private static void assertUsage(Outcome outcome) {
    assertThat(outcome.exit).as(outcome.text()).isEqualTo(1);
    assertThat(outcome.text()).contains("Usage: ");
  }

  private static Outcome run(List<String> flags, String... args) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    // Relative, as from the launcher: child JVMs have another working directory.
    command.addAll(List.of("-jar", "blitz-stress.jar"));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(TARGET).redirectErrorStream(true).start();
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = reader.readAllLines();
      return new Outcome(process.waitFor(), lines);
    } finally {
      process.destroyForcibly();
    }
  }

  private record Outcome(int exit, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }
}
