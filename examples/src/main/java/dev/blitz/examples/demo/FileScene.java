package dev.blitz.examples.demo;

import static dev.blitz.examples.demo.Screen.number;
import static dev.blitz.examples.demo.Screen.time;

import dev.blitz.io.bytes.BufferedByteWriter;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Files and other programs. */
final class FileScene {
  private final Screen screen;
  private final int lines;

  FileScene(Screen screen, int scale) {
    this.screen = screen;
    this.lines = 500_000 / scale;
  }

  void show() throws Exception {
    screen.scene("Files and processes: a log of " + number(lines) + " lines");
    Path directory = FileTree.createTemporaryDirectory(null, "blitz-demo").await();
    try {
      Path log = directory.resolve("log.txt");
      long start = System.nanoTime();
      write(log);
      long written = System.nanoTime();
      screen.figure(
          "written", mb(FileTree.metadata(log).await().size()) + " in " + time(written - start));
      long errors = 0;
      try (var all = AsyncFile.lines(log)) { // never more than a buffer in memory
        for (String line : all) {
          errors += line.startsWith("ERROR") ? 1 : 0;
        }
      }
      screen.figure(
          "read", number(errors) + " errors found in " + time(System.nanoTime() - written));
      askOthers(log);
    } finally {
      FileTree.deleteAll(directory).await();
    }
  }

  private void write(Path log) throws IOException {
    try (var file = AsyncFile.create(log).await()) {
      var out = BufferedByteWriter.ofCapacity(64 << 10, file);
      for (int i = 0; i < lines; i++) {
        out.writeText((i % 10 == 0 ? "ERROR" : "INFO") + " request " + i % 997 + "\n").await();
      }
      out.flush().await();
    }
  }

  private void askOthers(Path log) {
    long start = System.nanoTime();
    var errors = Command.of("grep", "^ERROR", log.toString());
    try (var counted = errors.pipe(Command.of("sort")).pipe(Command.of("uniq", "-c")).lines()) {
      long kinds = 0;
      for (String line : counted) {
        kinds += line.isEmpty() ? 0 : 1;
      }
      screen.figure(
          "processes",
          "grep, sort, uniq: "
              + number(kinds)
              + " kinds of errors in "
              + time(System.nanoTime() - start));
    } catch (UncheckedIOException e) {
      screen.figure("processes", "not here: " + e.getMessage());
    }
  }

  private static String mb(long bytes) {
    return bytes / 1_000_000 + " MB";
  }
}
