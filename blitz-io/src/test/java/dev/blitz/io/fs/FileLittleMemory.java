package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.FullHeap;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens, reads, writes, locks, maps and copies while there is hardly any memory, in a JVM with a
 * small heap: each allocation is once the one that fails. Afterwards nothing is open, locked or
 * mapped, and all works.
 */
final class FileLittleMemory {
  private static final Context CX = Context.of(() -> {});
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long PAUSE_NANOS = 10_000;
  private static final int BYTES = 100_000;

  /** What is given back before each try: each that fails costs some collections. */
  private static final int PIECES = 3;

  private static final byte[] DATA = new byte[BYTES];
  private static final ByteBuffer SOURCE = ByteBuffer.wrap(DATA);
  private static final ByteBuffer TARGET = ByteBuffer.allocate(BYTES);

  /** What a session has: closed by the next one that has memory for it, if its own had not. */
  private static final @Nullable AutoCloseable[] OPEN = new AutoCloseable[5];

  private static int openCount;
  private static @Nullable IoFuture<?> stuck;

  private FileLittleMemory() {}

  public static void main(String[] args) throws Exception {
    Arrays.fill(DATA, (byte) 'x');
    Path from = Files.write(Path.of(args[1], "from"), DATA);
    Path to = Files.write(Path.of(args[1], "to"), DATA);
    Files.write(from.resolveSibling("jdk"), DATA);
    String wrong = "";
    BlitzRuntime runtime =
        TestBackends.builder(args[0]).workers(1).blockingThreads(1).name("little").build();
    wrong += runtime.spawnBlocking(() -> walk(from, to)).await();
    if (!runtime.close(Duration.ofSeconds(10)).clean()) {
      wrong += "the runtime does not end; ";
    }
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  private static String walk(Path from, Path to) throws Exception {
    for (int i = 0; i < 50; i++) { // classes, call sites, threads and buffers
      session(from, to);
    }
    int refused = 0;
    int done = 0;
    String wrong = "";
    FullHeap.fill();
    while (done < 3 && stuck == null && FullHeap.release(PIECES)) {
      try {
        closeAll();
        session(from, to);
        done++;
      } catch (IOException | RuntimeException | OutOfMemoryError e) { // as the JDK tells it
        refused++;
      }
    }
    FullHeap.clear();
    System.out.println("refused: " + (refused > 0) + ", " + refused + ", done: " + done);
    if (stuck != null) {
      return "no end: " + stuck + "; ";
    }
    closeAll();
    for (int i = 0; i < 10; i++) {
      session(from, to);
    }
    for (Path path : new Path[] {from, to}) {
      if (!awaitNone(path)) {
        wrong += path.getFileName() + " is still open; ";
      }
    }
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      if (maps.anyMatch(line -> line.contains(from.getParent().toString()))) {
        wrong += "something is still mapped; ";
      }
    }
    return Arrays.equals(Files.readAllBytes(to), DATA) ? wrong : wrong + "other bytes; ";
  }

  private static void session(Path from, Path to) throws Exception {
    AsyncFile in = had(done(AsyncFile.open(from, Set.of(READ))));
    AsyncFile out = had(done(AsyncFile.open(to, Set.of(READ, WRITE))));
    had(done(out.lock()));
    done(out.writeAllAt(0, SOURCE.position(0).limit(10_000)));
    done(out.force(false));
    done(in.readFullyAt(0, TARGET.position(0).limit(10_000)));
    done(in.size());
    done(Bytes.copy(in, out));
    done(FileTree.metadata(from));
    // By the JDK, which may lose what it opens: nobody looks for that.
    Path other = from.resolveSibling("jdk");
    AsyncFile mapped = had(done(AsyncFile.open(other, Set.of(READ))));
    had(done(mapped.map(5, 10)));
    done(AsyncFile.readAll(other));
    closeAll();
  }

  private static <T extends AutoCloseable> T had(T opened) {
    OPEN[openCount++] = opened;
    return opened;
  }

  /** The last ones first; again, if there was no memory for it. */
  private static void closeAll() throws Exception {
    while (openCount > 0) {
      AutoCloseable last = OPEN[openCount - 1];
      if (last != null) {
        last.close();
      }
      OPEN[--openCount] = null;
    }
  }

  private static <T> T done(IoFuture<T> future) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    T value = future.poll(CX);
    while (value == null) {
      if (System.nanoTime() - end > 0) {
        stuck = future;
        future.drop();
        throw new IllegalStateException("no end");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      value = future.poll(CX);
    }
    return value;
  }

  /** A descriptor may be closed a moment after its file. */
  private static boolean awaitNone(Path path) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (descriptorsOf(path) > 0) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(1);
    }
    return true;
  }

  private static long descriptorsOf(Path path) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(fd -> leadsTo(fd, path)).count();
    }
  }

  private static boolean leadsTo(Path fd, Path path) {
    try {
      return Files.readSymbolicLink(fd).equals(path);
    } catch (IOException e) {
      return false; // it has been closed meanwhile
    }
  }
}
