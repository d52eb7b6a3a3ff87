package dev.blitz.examples;

import static dev.blitz.io.task.SpawnOptions.named;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.codec.LengthDelimited;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileChange;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Promise;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log, also when it is rotated, and sends its lines to a collector until each is
 * confirmed. They go in packed batches, and while the collector is away the lines wait in the file:
 * no longer than until the second rotation.
 *
 * <p>Shows: FileTree.watch, chunk by number and time, spawnBlocking, Task.retry. Run: {@code
 * ./blitz example LogShipper}.
 */
public final class LogShipper {
  private static final int LONGEST_LINE = 64 << 10;
  private static final LengthDelimited BATCHES = LengthDelimited.ofBytes(4);

  private LogShipper() {}

  /** Writes and rotates a log, beside a collector that dies once before it confirms. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      Path directory = FileTree.createTemporaryDirectory(null, "log").await();
      Path file = directory.resolve("app.log");
      try (var listener =
              TcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
          var scope = TaskScope.open()) {
        scope.spawn(named("shipper"), () -> ship(file, listener.localAddress()));
        Promise<Done> begun = Promise.create("the first batch");
        var collector = scope.spawn(named("collector"), () -> collect(listener, 10_000, begun));
        write(file, 0, 5_000);
        begun.future().await(); // a shipper that never saw the old file cannot follow it
        FileTree.rename(file, directory.resolve("app.log.1")).await();
        write(file, 5_000, 10_000);
        var lines = collector.await();
        IO.println(lines.size() + " lines, from " + lines.getFirst() + " to " + lines.getLast());
        scope.cancel();
      } finally {
        FileTree.deleteAll(directory).await();
      }
    });
  }

  /** Sends what is in a file, and what will be, until it is cancelled. */
  static void ship(Path file, InetSocketAddress collector) throws Exception {
    Channel<String> lines = Channel.bounded(1_000);
    try (var scope = TaskScope.open()) {
      scope.spawn(named("tail"), () -> tail(file, line -> lines.send(line).await()));
      scope.spawn(named("send"), () -> send(lines, collector));
      scope.join();
    }
  }

  // --- From the file ---

  static void tail(Path file, Consumer<String> line) throws IOException {
    try (var changes =
        FileTree.watch(file.toAbsolutePath().resolveSibling("")).await()) { // before the first look
      while (true) {
        try {
          follow(file, changes, line);
        } catch (NoSuchFileException away) { // until another one comes
          change(changes);
        }
      }
    }
  }

  /** Tells the lines of the file that has the name, until another one has it, to the last. */
  static void follow(Path file, IoSource<FileChange> changes, Consumer<String> line)
      throws IOException {
    Object key = FileTree.metadata(file).await().fileKey();
    try (var in = AsyncFile.open(file).await()) {
      long seen = 0;
      boolean same = isStill(key, file); // else it lost the name just now
      while (same) {
        same = isStill(key, file); // first, so that the last read is complete
        seen = added(in, seen, !same, line);
        if (same) {
          change(changes);
        }
      }
    }
  }

  static void change(IoSource<FileChange> changes) throws IOException {
    if (changes.next().await().isEmpty()) {
      throw new FileNotFoundException("the directory has gone");
    }
  }

  /** Also while none has the name: whoever writes the log may not have noticed. */
  static boolean isStill(@Nullable Object key, Path file) throws IOException {
    try {
      return Objects.equals(key, FileTree.metadata(file).await().fileKey());
    } catch (NoSuchFileException away) {
      return true;
    }
  }

  static long added(AsyncFile in, long seen, boolean last, Consumer<String> line)
      throws IOException {
    long from = in.size().await() < seen ? 0 : seen; // it was cut off
    var buffer = ByteBuffer.allocate(LONGEST_LINE);
    while (fill(in, from, buffer) > 0) {
      int whole = buffer.position();
      while (whole > 0 && buffer.get(whole - 1) != '\n') {
        whole--; // half a line, or half a letter, is read again
      }
      if (whole == 0 && !buffer.hasRemaining()) {
        throw new IOException(in.path() + " has a line longer than " + LONGEST_LINE + " bytes");
      }
      if (whole == 0 && !last) {
        return from;
      }
      int told = whole > 0 ? whole : buffer.position(); // nobody will end this line
      new String(buffer.array(), 0, told, StandardCharsets.UTF_8).lines().forEach(line);
      from += told;
    }
    return from;
  }

  /** A read may bring less than there is: reads on, to the end of the file or of the buffer. */
  static int fill(AsyncFile in, long from, ByteBuffer buffer) throws IOException {
    buffer.clear();
    int n = 1;
    while (n > 0 && buffer.hasRemaining()) {
      n = in.readAt(from + buffer.position(), buffer).await();
    }
    return buffer.position();
  }

  // --- To the collector ---

  private static void send(Channel<String> lines, InetSocketAddress collector) throws Exception {
    var patient = Backoff.exponential(Duration.ofMillis(10)).cap(Duration.ofSeconds(5)).jitter(0.5);
    try (var batches = lines.receiver().chunk(500, Duration.ofMillis(100)); // full, or so old
        var link = new Link(collector)) {
      for (var batch : batches) {
        byte[] packed = Task.spawnBlocking(() -> pack(batch)).await(); // it computes
        Task.retry(patient, () -> link.deliver(packed));
      }
    }
  }

  /** A connection that is made anew after a failure. */
  private static final class Link implements AutoCloseable {
    private final InetSocketAddress collector;
    private @Nullable TcpStream stream;

    Link(InetSocketAddress collector) {
      this.collector = collector;
    }

    /** Has ended well when the collector has confirmed. */
    void deliver(byte[] batch) throws IOException {
      try {
        Task.timeout(
            Duration.ofSeconds(5),
            () -> {
              if (stream == null) {
                stream = TcpStream.connect(collector).await();
              }
              BATCHES.writer(stream).send(batch).await();
              stream.readFully(ByteBuffer.allocate(1)).await();
            });
      } catch (IOException | RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public void close() {
      if (stream != null) {
        stream.close();
        stream = null;
      }
    }
  }

  private static byte[] pack(List<String> lines) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(bytes)) {
      zip.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  // --- For the show ---

  private static void write(Path file, int from, int to) throws IOException {
    var text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append("line ").append(i).append('\n');
    }
    AsyncFile.append(file, text.toString().getBytes(StandardCharsets.UTF_8)).await();
  }

  /** What has come, until there are so many lines; the third batch is not confirmed at first. */
  static List<String> collect(TcpListener listener, int many, Promise<Done> begun)
      throws IOException {
    var lines = new ArrayList<String>();
    int batches = 0;
    while (true) {
      try (var peer = listener.accept().await()) {
        for (byte[] batch : BATCHES.reader(peer)) {
          if (++batches == 3) {
            break; // it comes again
          }
          var zip = new GZIPInputStream(new ByteArrayInputStream(batch));
          new String(zip.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
          peer.writeAll(ByteBuffer.wrap(new byte[] {1})).await();
          begun.complete(Done.DONE);
          if (lines.size() >= many) {
            return lines;
          }
        }
      }
    }
  }
}
