package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the errors in all logs of a directory, some files at a time, and writes a report that is
 * never half there.
 *
 * <p>Shows: FileTree.list, AsyncFile.lines, TaskScope.map, AsyncFile.replace. Run: {@code ./blitz
 * example LogReport}.
 */
public final class LogReport {
  private static final int AT_A_TIME = 8;

  private LogReport() {}

  /** Makes some logs and reports on them. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      Path logs = FileTree.createTemporaryDirectory(null, "logs").await();
      try {
        for (int i = 1; i <= 20; i++) {
          String text = "started\n" + "ERROR: disk on fire\n".repeat(i) + "stopped\n";
          AsyncFile.overwrite(logs.resolve(i + ".log"), text.getBytes(StandardCharsets.UTF_8))
              .await();
        }
        Path report = logs.resolve("report.txt");
        report(logs, report);
        IO.println(AsyncFile.readText(report).await());
      } finally {
        FileTree.deleteAll(logs).await();
      }
    });
  }

  static void report(Path logs, Path report) throws Exception {
    List<Path> files = new ArrayList<>();
    try (var names = FileTree.list(logs)) {
      for (Path name : names) {
        if (name.toString().endsWith(".log")) {
          files.add(name);
        }
      }
    }
    long errors =
        TaskScope.map(files, AT_A_TIME, LogReport::errorsIn).stream().mapToLong(n -> n).sum();
    String text = files.size() + " logs, " + errors + " errors";
    AsyncFile.replace(report, text.getBytes(StandardCharsets.UTF_8)).await();
  }

  private static long errorsIn(Path log) throws IOException {
    long errors = 0;
    try (var lines = AsyncFile.lines(log)) {
      for (String line : lines) {
        if (line.startsWith("ERROR")) {
          errors++;
        }
      }
    }
    return errors;
  }
}
