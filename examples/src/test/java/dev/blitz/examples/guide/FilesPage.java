package dev.blitz.examples.guide;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileChange;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.net.TcpStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** docs/guide/files.md; {@link dev.blitz.examples.LogShipper} has the rest. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class FilesPage {
  abstract void report(Path name);

  abstract void reload(Path name);

  static void whole(Path path, byte[] bytes) throws IOException {
    byte[] config = AsyncFile.readAll(path).await();
    String text = AsyncFile.readText(path).await();
    AsyncFile.overwrite(path, bytes).await();
    AsyncFile.append(path, bytes).await();
    AsyncFile.replace(path, bytes).await();

    long errors = 0;
    try (var lines = AsyncFile.lines(path)) {
      for (String line : lines) if (line.contains("ERROR")) errors++;
    }
  }

  static void open(Path path, ByteBuffer header, ByteBuffer page) throws IOException {
    try (var file = AsyncFile.open(path, READ, WRITE, CREATE).await()) {
      file.writeAll(header).await();
      file.readFullyAt(4096, page).await();
      file.writeAllAt(4096, page.flip()).await();
      file.force(false).await();
    }
  }

  void names(Path root, long limit) throws IOException {
    try (var names = FileTree.walk(root)) {
      for (Path name : names) if (FileTree.metadata(name).await().size() > limit) report(name);
    }
  }

  void changes(Path directory) throws IOException {
    try (var changes = FileTree.watch(directory).await()) {
      for (FileChange change : changes) reload(change.path());
    }
  }

  static void locks(AsyncFile file, ByteBuffer number) throws IOException {
    try (var _ = file.lock().await()) {
      long old = file.readAt(0, number).await() == Long.BYTES ? number.getLong(0) : 0;
      file.writeAllAt(0, number.clear().putLong(0, old + 1)).await();
    }
  }

  static long memory(AsyncFile file) throws IOException {
    try (var memory = file.map(0, Long.BYTES).await()) {
      return memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN), 0);
    }
  }

  static void send(Path path, TcpStream socket) throws IOException {
    try (var file = AsyncFile.open(path).await()) {
      Bytes.copy(file, socket).await();
    }
  }
}
