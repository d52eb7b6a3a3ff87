package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.Timeouts;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Servers of ours, and programs that others wrote. */
final class Tools {
  private Tools() {}

  /** The names of those that can be used here. */
  static List<String> backends() {
    return Backends.probeAll().stream()
        .filter(BackendProbe::available)
        .map(BackendProbe::name)
        .toList();
  }

  static BlitzRuntime runtime(String backend) {
    return BlitzRuntime.builder().backend(backend).workers(2).build();
  }

  /** Starts a server, which ends with the runtime, and returns its port. */
  static int start(BlitzRuntime runtime, ThrowingConsumer<TcpListener> server) throws Exception {
    TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
    runtime
        .spawn(() -> {
          try (listener) {
            server.accept(listener);
          }
        })
        .detach();
    return listener.localAddress().getPort();
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Else the test is skipped, and says so. */
  static void assumeInstalled(String program) {
    boolean found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(found, program + " is not installed");
  }

  /** What it says, on both of its outputs. */
  static String run(String... command) throws Exception {
    return run(List.of(command), "");
  }

  static String run(List<String> command, String input) throws Exception {
    Path output = Files.createTempFile("tool", ".txt");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        process.outputWriter().append(input).close();
        assertThat(process.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS))
            .as("%s ended", command.getFirst())
            .isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      return Files.readString(output).strip();
    } finally {
      Files.delete(output);
    }
  }
}
