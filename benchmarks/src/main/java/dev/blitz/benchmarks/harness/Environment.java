package dev.blitz.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a run took place, as far as it matters; nothing that names a machine or a person.
 *
 * @param jvm version
 * @param gc collector
 * @param cores available to the JVM
 * @param processor its model, and whether it has AVX-512 where that can be asked; empty if unknown
 * @param system operating system, its version where that is a kernel's, architecture
 * @param date in UTC
 */
public record Environment(
    String jvm, String gc, int cores, String processor, String system, String date) {
  /** Builders append their own names to a kernel's version: keep the numbers. */
  private static final Pattern NUMBERS = Pattern.compile("^\\d+(\\.\\d+)?");

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  /** Results that were stored before it was asked for have no processor. */
  public Environment {
    processor = Objects.requireNonNullElse(processor, "");
  }

  static Environment current() {
    return new Environment(
        "OpenJDK " + Runtime.version(),
        Gc.current(),
        Runtime.getRuntime().availableProcessors(),
        processorHere(),
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                numbersOf(System.getProperty("os.version", "")),
                System.getProperty("os.arch")),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  private static String processorHere() {
    try {
      return processorOf(Files.readAllLines(PROCESSORS));
    } catch (IOException e) {
      return ""; // not Linux
    }
  }

  /** What the first of the processors says, as Linux lists them. */
  static String processorOf(List<String> lines) {
    String model = first("model name", lines).orElse("");
    Optional<String> flags = first("flags", lines);
    if (model.isEmpty() || flags.isEmpty()) {
      return model;
    }
    boolean wide = Arrays.asList(flags.get().split(" ")).contains("avx512f");
    return model + (wide ? " with AVX-512" : " without AVX-512");
  }

  private static Optional<String> first(String name, List<String> lines) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon >= 0 && line.substring(0, colon).strip().equals(name)) {
        return Optional.of(line.substring(colon + 1).strip());
      }
    }
    return Optional.empty();
  }

  /** How many cores, and of what processor if that is known. */
  String coresInWords() {
    return cores + " cores" + (processor.isEmpty() ? "" : " of " + processor);
  }

  static String numbersOf(String version) {
    Matcher matcher = NUMBERS.matcher(version);
    return matcher.find() ? matcher.group() : "";
  }
}
