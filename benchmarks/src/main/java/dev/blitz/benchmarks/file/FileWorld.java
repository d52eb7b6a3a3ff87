package dev.blitz.benchmarks.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** The files of a run: made once, when first needed, deleted with the JVM. */
final class FileWorld {
  private static final int MOST_LINE = 120;

  final FileSizes sizes;
  private final Path directory;
  private final Path big;
  private final List<Path> small = new ArrayList<>();

  FileWorld(FileSizes sizes) {
    this.sizes = sizes;
    try {
      directory = Files.createTempDirectory(Path.of("").toAbsolutePath(), "file-bench");
      Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "file-bench-delete"));
      big = directory.resolve("big");
      writeLines();
      for (int i = 0; i < sizes.smallFiles(); i++) {
        small.add(Files.write(directory.resolve("s" + i), new byte[FileSizes.SMALL_BYTES]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeLines() throws IOException {
    var random = new SplittableRandom(1);
    try (var out = Files.newBufferedWriter(big, StandardCharsets.US_ASCII)) {
      String line = "x".repeat(MOST_LINE);
      for (int left = sizes.fileBytes(); left > 0; ) {
        int length = Math.min(left - 1, random.nextInt(MOST_LINE));
        out.write(line, 0, length);
        out.write('\n');
        left -= length + 1;
      }
    }
  }

  Path big() {
    return big;
  }

  Path copy(String name) {
    return directory.resolve(name);
  }

  List<Path> small() {
    return small;
  }

  /** Where the reads of a run are: the same for everybody. */
  long[] places(int count, long seed) {
    var random = new SplittableRandom(seed);
    long[] places = new long[count];
    int pages = sizes.fileBytes() / FileSizes.PAGE;
    for (int i = 0; i < count; i++) {
      places[i] = (long) random.nextInt(pages) * FileSizes.PAGE;
    }
    return places;
  }

  private void delete() {
    try (var all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }
}
