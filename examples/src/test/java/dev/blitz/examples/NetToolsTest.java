package dev.blitz.examples;

import static dev.blitz.examples.Tools.assumeInstalled;
import static dev.blitz.examples.Tools.freePort;
import static dev.blitz.examples.Tools.run;
import static dev.blitz.examples.Tools.runtime;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.net.UdpSocket;
import dev.blitz.io.net.UnixListener;
import dev.blitz.io.net.UnixStream;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that others wrote, at both ends of our sockets; each is skipped where it is absent. */
@Strict
class NetToolsTest {

  static List<String> backends() {
    return Tools.backends();
  }

  /** Serves the example and returns its port. */
  private static int serve(BlitzRuntime runtime) throws Exception {
    TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
    runtime.spawn(HttpHello.serve(listener)).detach();
    return listener.localAddress().getPort();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_getsTheGreeting_twiceOverOneConnection(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = runtime(backend)) {
      String url = "http://127.0.0.1:" + serve(runtime) + "/";
      String output = run(List.of("curl", "-sv", url, url), "");
      assertThat(output).contains("hello").containsPattern("(?i)re-?using existing");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void wrk_findsNoError(String backend) throws Exception {
    assumeInstalled("wrk");
    try (var runtime = runtime(backend)) {
      String url = "http://127.0.0.1:" + serve(runtime) + "/";
      String output = run(List.of("wrk", "-t1", "-c50", "-d1s", url), "");
      assertThat(output).contains("requests in").doesNotContain("Socket errors", "Non-2xx");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void netcat_asksAndIsAsked(String backend) throws Exception {
    assumeInstalled("nc");
    try (var runtime = runtime(backend)) {
      int port = serve(runtime);
      assertThat(run(List.of("nc", "-N", "127.0.0.1", "" + port), "GET / HTTP/1.0\r\n\r\n"))
          .startsWith("HTTP/1.1 200 OK")
          .endsWith("hello");

      int listening = freePort();
      Path heard = Files.createTempFile("heard", ".txt");
      var nc =
          new ProcessBuilder("nc", "-l", "127.0.0.1", "" + listening)
              .redirectOutput(heard.toFile())
              .start();
      try {
        nc.outputWriter().append("to blitz\n").flush();
        TcpStream stream = connectWhenReady(runtime, listening);
        runtime.run(
            stream.writeAll(ByteBuffer.wrap("to netcat\n".getBytes(StandardCharsets.US_ASCII))));
        var answer = ByteBuffer.allocate("to blitz\n".length());
        runtime.run(stream.readFully(answer));
        assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("to blitz\n");
        stream.close();
        nc.outputWriter().close();
        assertThat(nc.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(heard).hasContent("to netcat\n");
      } finally {
        nc.destroyForcibly().waitFor();
        Files.delete(heard);
      }
    }
  }

  /** The proxy's port; behind it is the greeting. */
  private static int proxy(BlitzRuntime runtime) throws Exception {
    int port = serve(runtime);
    TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
    runtime
        .spawn(() -> {
          try (listener;
              var all = TaskScope.open(supervise((who, e) -> {}))) {
            Proxy.serve(listener, port, all, new AtomicInteger());
          }
        })
        .detach();
    return listener.localAddress().getPort();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_getsTheGreeting_throughTheProxy(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = runtime(backend)) {
      String url = "http://127.0.0.1:" + proxy(runtime) + "/";
      String output = run(List.of("curl", "-sv", url, url), "");
      assertThat(output).contains("hello").containsPattern("(?i)re-?using existing");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void netcat_endsItsSideFirst_andHearsTheAnswerThroughTheProxy(String backend) throws Exception {
    assumeInstalled("nc");
    try (var runtime = runtime(backend)) {
      int port = proxy(runtime);
      assertThat(run(List.of("nc", "-N", "127.0.0.1", "" + port), "GET / HTTP/1.0\r\n\r\n"))
          .startsWith("HTTP/1.1 200 OK")
          .endsWith("hello");
    }
  }

  private static TcpStream connectWhenReady(BlitzRuntime runtime, int port) {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return connectWhenReady(runtime, () -> TcpStream.connect(address));
  }

  /** A name is there before anybody listens, and who listens here takes one connection. */
  private static <T> T connectWhenReady(
      BlitzRuntime runtime, Supplier<? extends Future<T>> connect) {
    var connected = new ArrayList<T>();
    Await.until(
        () -> {
          try {
            return connected.add(runtime.run(Futures.lazy(connect::get).andThen(c -> c)));
          } catch (IOException notYet) {
            return false;
          }
        },
        "somebody to listen");
    return connected.getFirst();
  }

  /** Starts {@code command}, says a line to it and hears its answer. */
  private static String converse(String line, String... command) throws Exception {
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var in = process.inputReader();
        var out = process.outputWriter()) {
      out.append(line).append('\n').flush();
      return String.valueOf(in.readLine());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void netcatAndSocat_areAnsweredByUdp(String backend) throws Exception {
    assumeInstalled("nc");
    assumeInstalled("socat");
    try (var runtime = runtime(backend)) {
      UdpSocket socket = runtime.run(Futures.lazy(() -> UdpSocket.bind(0)));
      runtime
          .spawn(() -> {
            var buffer = ByteBuffer.allocateDirect(2048);
            while (true) {
              var datagram = socket.receiveFrom(buffer.clear()).await();
              socket.sendTo(buffer.flip(), datagram.sender()).await();
            }
          })
          .detach();
      String port = "" + socket.localAddress().getPort();
      assertThat(converse("by netcat", "nc", "-u", "127.0.0.1", port)).isEqualTo("by netcat");
      assertThat(converse("by socat", "socat", "-", "UDP4:127.0.0.1:" + port))
          .isEqualTo("by socat");
      assertThat(converse("wide", "socat", "-", "UDP6:[::1]:" + port)).isEqualTo("wide");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void netcatAndSocat_areAnsweredOnAUnixSocket_andAnswer(String backend) throws Exception {
    assumeInstalled("nc");
    assumeInstalled("socat");
    Path directory = Files.createTempDirectory("unix");
    Path ours = directory.resolve("ours");
    Path theirs = directory.resolve("theirs");
    Process server = null;
    try (var runtime = runtime(backend)) {
      UnixListener listener = runtime.run(Futures.lazy(() -> UnixListener.bind(ours)));
      runtime
          .spawn(() -> {
            while (true) {
              try (var stream = listener.accept().await()) {
                Bytes.copy(stream, stream).await();
              }
            }
          })
          .detach();
      assertThat(converse("by netcat", "nc", "-U", ours.toString())).isEqualTo("by netcat");
      assertThat(converse("by socat", "socat", "-", "UNIX-CONNECT:" + ours)).isEqualTo("by socat");

      server = new ProcessBuilder("socat", "UNIX-LISTEN:" + theirs, "EXEC:cat").start();
      try (UnixStream stream = connectWhenReady(runtime, () -> UnixStream.connect(theirs))) {
        stream.writeAll(ByteBuffer.wrap("to socat".getBytes(StandardCharsets.US_ASCII))).await();
        var answer = ByteBuffer.allocate("to socat".length());
        stream.readFully(answer).await();
        assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("to socat");
      }
    } finally {
      if (server != null) {
        server.destroyForcibly().waitFor();
      }
      Files.deleteIfExists(ours);
      Files.deleteIfExists(theirs);
      Files.delete(directory);
    }
  }
}
