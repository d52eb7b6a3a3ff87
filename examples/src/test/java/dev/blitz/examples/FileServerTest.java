package dev.blitz.examples;

import static dev.blitz.examples.Tools.assumeInstalled;
import static dev.blitz.examples.Tools.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.DirectInput;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Promise;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.shutdown.ShutdownReport;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link FileServer} with curl, wrk and a socket at the other end. */
@Strict
class FileServerTest {
  @TempDir Path directory;
  private Path root;

  static List<String> backends() {
    return Tools.backends();
  }

  @BeforeEach
  void files() throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
    Files.writeString(directory.resolve("secret.txt"), "secret");
    Files.writeString(root.resolve("digits.txt"), "0123456789");
    Files.writeString(root.resolve("a & b.html"), "<p>hello");
    var random = new byte[3 << 20];
    new Random(7).nextBytes(random);
    Files.write(root.resolve("large.bin"), random);
    Files.write(root.resolve("middle.bin"), Arrays.copyOf(random, 60_000));
  }

  private String serve(BlitzRuntime runtime) throws Exception {
    int port =
        Tools.start(
            runtime,
            listener -> {
              try (var shutdown = Shutdown.open()) {
                new FileServer(root).serve(listener, shutdown);
              }
            });
    return "http://127.0.0.1:" + port;
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_getsFiles_overOneConnection(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = Tools.runtime(backend)) {
      String url = serve(runtime);
      assertThat(run("curl", "-sv", url + "/digits.txt", url + "/a%20%26%20b.html?query"))
          .contains("0123456789", "<p>hello", "Content-Type: text/html")
          .containsPattern("(?i)re-?using existing");
      assertThat(run("curl", "-sI", url + "/large.bin"))
          .startsWith("HTTP/1.1 200 OK")
          .contains("Content-Length: 3145728");
      Path copy = directory.resolve("copy.bin");
      for (String file : List.of("large.bin", "middle.bin")) {
        run("curl", "-s", "-o", copy.toString(), url + "/" + file);
        assertThat(copy).hasSameBinaryContentAs(root.resolve(file));
      }
    }
  }

  /** Takes all, and counts what does not pass through memory. */
  private static final class Taker extends GuardedStream implements DirectInput.Move {
    final StringBuilder heads = new StringBuilder();
    int moved;

    @Override
    public long make(int descriptor, long position, int most) {
      moved += most;
      return most;
    }

    @Override
    public long makeBehind(ByteBuffer before, int descriptor, long position, int most) {
      heads.append(StandardCharsets.US_ASCII.decode(before));
      return make(descriptor, position, most);
    }

    @Override
    protected long doTransfer(Context cx, DirectInput input) throws IOException {
      return input.move(this);
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) {
      int n = source.remaining();
      source.position(source.limit());
      return n;
    }

    @Override
    protected int doRead(Context cx, ByteBuffer target) {
      return EOF;
    }

    @Override
    protected boolean doFlush(Context cx) {
      return true;
    }

    @Override
    protected boolean doShutdown(Context cx) {
      return true;
    }

    @Override
    public void shutdownInput() {}

    @Override
    public void forgetRead() {}

    @Override
    public void forgetWrite() {}

    @Override
    public void close() {}
  }

  private int movedOf(int bytes) throws IOException {
    Path file = Files.write(root.resolve("of" + bytes), new byte[bytes]);
    var client = new Taker();
    var request = FileServer.Request.parse("GET / HTTP/1.1");
    assertThat(FileServer.send(file, bytes, request, FileServer.writer(client))).isTrue();
    assertThat(client.heads.toString()).contains(client.moved > 0 ? "Length: " + bytes : "");
    return client.moved;
  }

  @Test
  void whatIsNotSmall_doesNotPassThroughMemory() throws Exception {
    Blitz.run(() -> {
      assumeTrue(movedOf(100_000) > 0, "not to be had here");
      assertThat(movedOf(20_000)).isEqualTo(20_000);
      assertThat(movedOf(16_000)).isZero();
    });
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_getsRanges(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = Tools.runtime(backend)) {
      String url = serve(runtime);
      String digits = url + "/digits.txt";
      assertThat(run("curl", "-si", "-r", "2-4", digits))
          .startsWith("HTTP/1.1 206 Partial Content")
          .contains("Content-Range: bytes 2-4/10", "Content-Length: 3")
          .endsWith("234");
      assertThat(run("curl", "-s", "-r", "7-", digits)).isEqualTo("789");
      assertThat(run("curl", "-s", "-r", "-2", digits)).isEqualTo("89");
      assertThat(run("curl", "-s", "-r", "8-99", digits)).isEqualTo("89");
      assertThat(run("curl", "-si", "-r", "10-", digits))
          .startsWith("HTTP/1.1 416")
          .contains("Content-Range: bytes */10");
      Path part = directory.resolve("part.bin");
      run("curl", "-s", "-r", "1000000-2999999", "-o", part.toString(), url + "/large.bin");
      byte[] all = Files.readAllBytes(root.resolve("large.bin"));
      assertThat(part).hasBinaryContent(Arrays.copyOfRange(all, 1_000_000, 3_000_000));
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_getsADirectory_inChunks(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = Tools.runtime(backend)) {
      String url = serve(runtime);
      assertThat(run("curl", "-si", url + "/"))
          .contains("Transfer-Encoding: chunked")
          .contains("<a href=\"a%20%26%20b.html\">a &amp; b.html</a>")
          .doesNotContain("secret");
      assertThat(run("curl", "-si", "--http1.0", url + "/"))
          .contains("Connection: close", "digits.txt")
          .doesNotContain("chunked");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void whatIsNotThere_isRefused(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = Tools.runtime(backend)) {
      String url = serve(runtime);
      assertThat(run("curl", "-si", url + "/nothing")).startsWith("HTTP/1.1 404");
      assertThat(run("curl", "-si", "--path-as-is", url + "/../secret.txt"))
          .startsWith("HTTP/1.1 404");
      assertThat(run("curl", "-si", "--path-as-is", url + "/%2e%2e/secret.txt"))
          .startsWith("HTTP/1.1 404");
      assertThat(run("curl", "-si", "-d", "body", url + "/digits.txt")).startsWith("HTTP/1.1 405");
      assertThat(run("curl", "-si", "-H", "X: " + "x".repeat(9000), url + "/digits.txt"))
          .startsWith("HTTP/1.1 431");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void pipelinedRequests_areAnsweredInOrder(String backend) throws Exception {
    try (var runtime = Tools.runtime(backend)) {
      String url = serve(runtime);
      int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        String requests =
            "GET /digits.txt HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3)
                + "GET /nothing HTTP/1.1\r\n\r\n"
                + "GET /digits.txt HTTP/1.1\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        String answers =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(answers).endsWith("0123456789");
        assertThat(answers.split("HTTP/1.1 ", -1))
            .extracting(answer -> answer.isEmpty() ? "" : answer.substring(0, 3))
            .containsExactly("", "200", "200", "200", "404", "200");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void wrk_findsNoError(String backend) throws Exception {
    assumeInstalled("wrk");
    try (var runtime = Tools.runtime(backend)) {
      assertThat(run("wrk", "-t1", "-c20", "-d1s", serve(runtime) + "/digits.txt"))
          .contains("requests in")
          .doesNotContain("Socket errors", "Non-2xx");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void atTheEnd_anIdleConnectionIsClosed_andNobodyIsLeft(String backend) throws Exception {
    try (var runtime = Tools.runtime(backend)) {
      Promise<Shutdown> started = Promise.create();
      Promise<ShutdownReport> ended = Promise.create();
      int port =
          Tools.start(
              runtime,
              listener -> {
                try (var shutdown = Shutdown.open()) {
                  started.complete(shutdown);
                  ended.complete(new FileServer(root).serve(listener, shutdown));
                }
              });
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket
            .getOutputStream()
            .write("GET /digits.txt HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        started.future().await().trigger("the test");
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .endsWith("0123456789");
      }
      assertThat(ended.future().await().clean()).isTrue();
    }
  }
}
