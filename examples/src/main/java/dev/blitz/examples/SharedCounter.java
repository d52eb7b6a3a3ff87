package dev.blitz.examples;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.blitz.io.Blitz;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A counter in a file that any number of processes may count with: several runs of this beside each
 * other lose nothing.
 *
 * <p>Shows: locks of a file, reads and writes at a place, a file in memory. Run: {@code ./blitz
 * example SharedCounter} or, several at once, {@code ./blitz example SharedCounter FILE}.
 */
public final class SharedCounter {
  private static final int COUNTERS = 4;
  private static final int ROUNDS = 25;

  private SharedCounter() {}

  /** Counts to 100, in the file that the argument names. */
  public static void main(String[] args) throws Exception {
    Path path = args.length > 0 ? Path.of(args[0]) : Files.createTempFile("blitz-counter", "");
    Blitz.run(() -> {
      List<AsyncFile> files = new ArrayList<>();
      try {
        for (int i = 0; i < COUNTERS; i++) {
          files.add(AsyncFile.open(path, CREATE, READ, WRITE).await());
        }
        TaskScope.map(files, COUNTERS, SharedCounter::countOn);
        IO.println("counted to " + count(files.getFirst()));
      } finally {
        Collections.reverse(files);
        files.forEach(AsyncFile::close);
      }
    });
    if (args.length == 0) {
      Files.delete(path);
    }
  }

  private static int countOn(AsyncFile file) throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      increment(file);
    }
    return ROUNDS;
  }

  private static void increment(AsyncFile file) throws IOException {
    var number = ByteBuffer.allocate(Long.BYTES);
    try (var _ = file.lock().await()) {
      long old = file.readAt(0, number).await() == Long.BYTES ? number.getLong(0) : 0;
      file.writeAllAt(0, number.clear().putLong(0, old + 1)).await();
    }
  }

  private static long count(AsyncFile file) throws IOException {
    try (var memory = file.map(0, Long.BYTES).await()) {
      return memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN), 0);
    }
  }
}
