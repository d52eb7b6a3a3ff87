package dev.blitz.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How a child JVM tells its parent what it declared and what became of it: one line per event,
 * written through at once, so that a crash loses nothing that was already known.
 */
record OutcomeFile(Path path) {
  private static final String DECLARED = "declared";
  private static final String PASSED = "passed";
  private static final String FAILED = "failed";

  void declared(String name) {
    append(DECLARED, name, "");
  }

  void passed(String name) {
    append(PASSED, name, "");
  }

  void failed(String name, String message) {
    append(FAILED, name, message);
  }

  private synchronized void append(String event, String name, String message) {
    String escaped = message.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    try {
      Files.writeString(
          path,
          event + "\t" + name + "\t" + escaped + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was written so far; nothing at all when the child never came that far. */
  Tally read() throws IOException {
    var tally = Tally.empty();
    if (!Files.exists(path)) {
      return tally;
    }
    for (String line : Files.readAllLines(path)) {
      String[] field = line.split("\t", 3);
      switch (field[0]) {
        case DECLARED -> tally.declared().add(field[1]);
        case PASSED -> tally.executed().add(field[1]);
        case FAILED -> {
          tally.executed().add(field[1]);
          tally.failures().put(field[1], field[2].translateEscapes());
        }
        default -> throw new IOException("Unknown line in " + path + ": " + line);
      }
    }
    return tally;
  }
}
