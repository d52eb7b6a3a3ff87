package dev.blitz.benchmarks.harness;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a run took place, as far as it matters; nothing that names a machine or a person.
 *
 * @param jvm version
 * @param gc collector
 * @param cores available to the JVM
 * @param system operating system, its version where that is a kernel's, architecture
 * @param date in UTC
 */
public record Environment(String jvm, String gc, int cores, String system, String date) {
  /** Builders append their own names to a kernel's version: keep the numbers. */
  private static final Pattern NUMBERS = Pattern.compile("^\\d+(\\.\\d+)?");

  static Environment current() {
    return new Environment(
        "OpenJDK " + Runtime.version(),
        Gc.current(),
        Runtime.getRuntime().availableProcessors(),
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                numbersOf(System.getProperty("os.version", "")),
                System.getProperty("os.arch")),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  static String numbersOf(String version) {
    Matcher matcher = NUMBERS.matcher(version);
    return matcher.find() ? matcher.group() : "";
  }
}
