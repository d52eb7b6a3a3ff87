package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.SeccompFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * In a JVM of its own: io_uring has been found, and then its rings cannot be had. Says on what two
 * runtimes work then, how one fails that was told to use it, and what is left. The argument is what
 * stands in the way: a system call by number, or {@code descriptors}.
 */
final class NoRings {
  private static final int ENOMEM = 12;
  private static final int WORKERS = 4;

  /** Enough for sockets and another backend, too few for the rings. */
  private static final int LEFT = 6;

  private static final List<InputStream> HELD = new ArrayList<>();

  private NoRings() {}

  public static void main(String[] args) throws Throwable {
    FewDescriptors.loadAllClasses();
    try (var runtime = BlitzRuntime.builder().workers(WORKERS).build()) {
      System.out.println("at first: " + echo(runtime) + " by " + runtime.backend().name());
    }
    if (args[0].equals("descriptors")) {
      holdDescriptors();
    } else if (!SeccompFilter.forbid(Long.parseLong(args[0]), ENOMEM)) {
      System.out.println("the kernel takes no filter"); // else for all threads that begin now
      return;
    }
    long before = descriptors();
    for (int i = 0; i < 2; i++) {
      try (var runtime = BlitzRuntime.builder().workers(WORKERS).build()) {
        System.out.println("then: " + echo(runtime) + " by " + runtime.backend());
      }
    }
    try (var runtime = BlitzRuntime.builder().workers(WORKERS).backend("io_uring").build()) {
      for (int i = 0; i < 2; i++) {
        try {
          System.out.println("by name: " + echo(runtime));
        } catch (IOException e) {
          System.out.println("by name: " + e);
        }
      }
    }
    System.out.println("descriptors left behind: " + (descriptors() - before));
    System.out.println(
        "threads left behind: "
            + Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("blitz-"))
                .toList());
  }

  private static String echo(BlitzRuntime runtime) throws Exception {
    try (var listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)))) {
      var connecting = runtime.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress())));
      try (var client = connecting.await();
          var server = listener.accept().await()) {
        client.writeAll(ByteBuffer.wrap(new byte[] {1})).await();
        return server.read(ByteBuffer.allocate(1)).await() + " byte";
      }
    }
  }

  private static void holdDescriptors() throws IOException {
    Path any = Path.of(System.getProperty("java.home"), "release");
    try {
      for (; ; ) {
        HELD.add(Files.newInputStream(any));
      }
    } catch (IOException none) {
      for (int i = 0; i < LEFT; i++) {
        HELD.removeLast().close();
      }
    }
  }

  private static long descriptors() throws IOException {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
