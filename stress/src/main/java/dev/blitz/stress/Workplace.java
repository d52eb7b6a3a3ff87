package dev.blitz.stress;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Where the classes come from and where the results go. */
final class Workplace {
  private Workplace() {}

  /** The runnable jar, or the folder of classes when run from the build. */
  static Path code() {
    try {
      URI location = Workplace.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(location);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** An empty folder in the build's target folder, beside the classes or the jar. */
  static Path fresh(String name) throws IOException {
    Path folder = code().resolveSibling("stress-results").resolve(name);
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(folder);
  }
}
