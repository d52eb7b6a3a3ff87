package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.process.Command;
import dev.blitz.io.task.Task;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A process that may not call native code: everything runs, by means of the JDK. */
final class NoNativeAccess {
  private NoNativeAccess() {}

  public static void main(String[] args) throws Exception {
    refusals();
    Path directory = Files.createTempDirectory("no-native");
    try (var runtime = BlitzRuntime.create()) {
      System.out.println(runtime.backend());
      runtime.spawn(() -> all(directory)).await();
    } finally {
      Files.deleteIfExists(directory.resolve("file"));
      Files.delete(directory);
    }
  }

  /** What needs native code is refused by one exception that names backend and operation. */
  private static void refusals() {
    for (String backend : List.of("io_uring", "epoll", "poll")) {
      try (var _ = BlitzRuntime.builder().backend(backend).build()) {
        System.out.println("forced: " + backend + " is there");
      } catch (UnsupportedOperationException e) {
        System.out.println("forced: " + e.getMessage());
      }
    }
    try (var runtime = BlitzRuntime.builder().backend("nio").build()) {
      for (ThrowingSupplier<?> operation :
          List.<ThrowingSupplier<?>>of(
              UnixDatagram::pair, UnixDatagram::unbound, () -> AsyncDescriptor.adopt(1_000))) {
        try {
          runtime.run(Futures.lazy(operation));
        } catch (UnsupportedOperationException e) {
          System.out.println("refused: " + e.getMessage());
        } catch (Throwable other) {
          System.out.println("not refused: " + other);
        }
      }
    }
  }

  private static void all(Path directory) throws Exception {
    Task.sleep(Duration.ofMillis(1)).await();
    System.out.println("timer: fired");
    try (var listener = TcpListener.bind(SocketWorld.loopback(0));
        var client = TcpStream.connect(listener.localAddress()).await();
        var server = listener.accept().await()) {
      var echo = Task.spawn(SocketConformance.echo(server));
      client.writeAll(SocketWorld.bytes("echo")).await();
      System.out.println("tcp: " + SocketWorld.readText(client, 4));
      client.shutdownOutput();
      echo.await();
    }
    try (var a = UdpSocket.bind(SocketWorld.loopback(0));
        var b = UdpSocket.connected(a.localAddress())) {
      b.send(SocketWorld.bytes("datagram")).await();
      var buffer = ByteBuffer.allocate(16);
      a.receive(buffer).await();
      System.out.println("udp: " + SocketWorld.text(buffer));
    }
    Path file = directory.resolve("file");
    AsyncFile.overwrite(file, "contents".getBytes(StandardCharsets.UTF_8)).await();
    System.out.println("file: " + AsyncFile.readText(file).await());
    String said = Command.of("/bin/sh", "-c", "echo child").output().await().orThrow().text();
    System.out.println("process: " + said.strip());
    System.out.println("all ran");
  }
}
