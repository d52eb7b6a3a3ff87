package dev.blitz.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program in another language as a contender. For each round it is started as {@code command...
 * KEY SLICE_MILLIS}, warms itself up, and prints lines {@code NAME VALUE}: the line named KEY is
 * the value in the workload's unit; {@code KEY.cpu} (nanoseconds) and {@code KEY.bytes} per
 * operation may follow. Other lines are ignored.
 *
 * @param name the name in tables
 * @param command the program and its first arguments
 * @param key which of its workloads to run
 */
public record ExternalPeer(String name, List<String> command, String key) implements Contender {
  /** A peer that takes longer than this for one slice hangs. */
  private static final long TIMEOUT_SECONDS = 120;

  /** Keeps its own copy of the command. */
  public ExternalPeer {
    command = List.copyOf(command);
  }

  @Override
  public Optional<String> absence() {
    String program = command.getFirst();
    return isExecutable(program)
        ? Optional.empty()
        : Optional.of(Path.of(program).getFileName() + " is not installed or not built");
  }

  @Override
  public boolean needsWarmUp() {
    return false;
  }

  @Override
  public Sample sample(Workload workload, long sliceNanos) throws Exception {
    var line = new ArrayList<>(command);
    line.add(key);
    line.add(Long.toString(TimeUnit.NANOSECONDS.toMillis(sliceNanos)));
    // A file instead of a pipe: a program that neither ends nor fills it can still be timed out.
    Path output = Files.createTempFile("blitz-peer", ".txt");
    try {
      return parse(run(line, output), key);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private List<String> run(List<String> line, Path output)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(line)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(name + " did not finish " + key + " in " + TIMEOUT_SECONDS + " s");
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(name + " failed on " + key + " with exit code " + process.exitValue());
    }
    return Files.readAllLines(output);
  }

  static Sample parse(List<String> lines, String key) {
    Map<String, Double> values = new HashMap<>();
    for (var line : lines) {
      int space = line.lastIndexOf(' ');
      if (space > 0 && line.startsWith(key)) {
        values.put(line.substring(0, space).strip(), Double.valueOf(line.substring(space + 1)));
      }
    }
    var value = values.get(key);
    if (value == null) {
      throw new IllegalStateException("no line '" + key + " VALUE' in the peer's output");
    }
    return new Sample(
        value,
        values.getOrDefault(key + ".cpu", Double.NaN),
        values.getOrDefault(key + ".bytes", Double.NaN));
  }

  private static boolean isExecutable(String program) {
    if (program.contains("/") || program.contains("\\")) {
      return Files.isExecutable(Path.of(program));
    }
    boolean windows = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("win");
    String path = System.getenv().getOrDefault("PATH", "");
    for (var folder : path.split(windows ? ";" : ":", -1)) {
      if (!folder.isEmpty()
          && Files.isExecutable(Path.of(folder, windows ? program + ".exe" : program))) {
        return true;
      }
    }
    return false;
  }
}
