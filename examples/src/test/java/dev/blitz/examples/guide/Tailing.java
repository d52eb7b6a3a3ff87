package dev.blitz.examples.guide;

import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileChange;
import dev.blitz.io.fs.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** docs/guide/files.md. */
final class Tailing {
  private static final int MOST_AT_ONCE = 16 << 20;

  private Tailing() {}

  static void tail(Path file, Consumer<String> line) throws IOException {
    try (var changes = FileTree.watch(file.toAbsolutePath().getParent()).await()) {
      long seen = more(file, 0, line);
      for (FileChange change : changes) {
        if (change.path().endsWith(file.getFileName()) || change.kind() == FileChange.Kind.LOST) {
          seen = more(file, seen, line);
        }
      }
    }
  }

  static long more(Path file, long seen, Consumer<String> line) throws IOException {
    try (var in = AsyncFile.open(file).await()) {
      long from = in.size().await() < seen ? 0 : seen;
      in.position(from);
      byte[] added = BufferedByteReader.of(in).readToEnd(MOST_AT_ONCE).await();
      int whole = added.length;
      while (whole > 0 && added[whole - 1] != '\n') {
        whole--;
      }
      new String(added, 0, whole, StandardCharsets.UTF_8).lines().forEach(line);
      return from + whole;
    } catch (NoSuchFileException away) {
      return 0;
    }
  }
}
