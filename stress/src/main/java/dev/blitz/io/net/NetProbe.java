package dev.blitz.io.net;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What seeded programs ask of the machine's network and descriptors. */
final class NetProbe {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  /** Bytes of the buffer that each echo has. */
  static final int ECHO_BUFFER = 2048;

  private NetProbe() {}

  /** As {@link #backends}, but for the one whose connections cannot be reset. */
  static List<String> thatReset() {
    return backends().stream().filter(backend -> !backend.equals("iocp")).toList();
  }

  /** The backends that work here; says which do not. */
  static List<String> backends() {
    for (BackendProbe probe : Backends.probeAll()) {
      if (!probe.available()) {
        System.out.println("  skipped " + probe);
      }
    }
    return Backends.probeAll().stream()
        .filter(BackendProbe::available)
        .map(BackendProbe::name)
        .toList();
  }

  /** From its first channel on the JDK keeps a socket by which it closes others. */
  private static void keepTheSocketOfTheJdk() {
    try {
      SocketChannel.open().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Open descriptors of this process, without those of the listing itself and of class loading. */
  static long openSockets() {
    keepTheSocketOfTheJdk();
    long count = 0;
    try (var entries = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path entry : entries) {
        try {
          String target = Files.readSymbolicLink(entry).toString();
          if (target.startsWith("socket:") || target.startsWith("anon_inode:")) {
            count++;
          }
        } catch (IOException closedMeanwhile) {
          // not open, not counted
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }

  /** How many descriptors this process may have. */
  static long descriptorLimit() throws IOException {
    for (String line : Files.readAllLines(LIMITS)) {
      if (line.startsWith("Max open files")) {
        String soft = line.substring("Max open files".length()).strip().split("\\s+", -1)[0];
        return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
      }
    }
    throw new IOException("no limit of open files in " + LIMITS);
  }

  /** How many parts of io_uring rings are mapped into this process. */
  static long ringMappings() throws IOException {
    try (var lines = Files.lines(MAPPINGS)) {
      return lines.filter(line -> line.contains("io_uring")).count();
    }
  }

  /** Accepts for ever, and echoes each connection in a task of its own until it ends. */
  static Future<Done> echoServer(TcpListener listener) {
    return Futures.loop(() ->
        listener
            .accept()
            .andThen(stream -> {
              Task.spawn(echo(stream).recover(NetProbe::ifReset)).detach();
              return Futures.more();
            }));
  }

  /** A client that resets its connection is no failure; anything else is. */
  private static Done ifReset(Exception e) throws Exception {
    if (e instanceof IOException) {
      return Done.DONE;
    }
    throw e;
  }

  private static Future<Done> echo(TcpStream stream) {
    var buffer = ByteBuffer.allocate(ECHO_BUFFER);
    return Futures.loop(() ->
            stream
                .read(buffer)
                .andThen(n ->
                    n < 0
                        ? Futures.stop()
                        : stream
                            .writeAll(buffer.flip())
                            .andThen(done -> {
                              buffer.clear();
                              return Futures.more();
                            })))
        .whenDone(stream::close);
  }
}
