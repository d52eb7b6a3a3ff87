package dev.blitz.examples;

import static dev.blitz.examples.Tools.assumeInstalled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.Strict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MiniRedis} with redis-cli, redis-benchmark and sockets at the other end. */
@Strict
class MiniRedisTest {

  static List<String> backends() {
    return Tools.backends();
  }

  private static int serve(BlitzRuntime runtime) throws Exception {
    return Tools.start(runtime, listener -> new MiniRedis().serve(listener));
  }

  /** What redis-cli says to these commands, line by line. */
  private static List<String> cli(int port, String option, String... commands) throws Exception {
    List<String> command = new ArrayList<>(List.of("redis-cli", "-p", "" + port));
    if (!option.isEmpty()) {
      command.add(option);
    }
    return Tools.run(command, String.join("\n", commands) + "\n").lines().toList();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void redisCli_isUnderstood(String backend) throws Exception {
    assumeInstalled("redis-cli");
    try (var runtime = Tools.runtime(backend)) {
      int port = serve(runtime);
      assertThat(cli(port, "", "PING", "SET a 1", "GET a", "GET nothing", "INCR a", "INCR a"))
          .containsExactly("PONG", "OK", "1", "", "2", "3");
      assertThat(cli(port, "", "SET b x EX 100", "TTL b", "TTL a", "TTL nothing", "EXPIRE a 50"))
          .containsExactly("OK", "100", "-1", "-2", "1");
      assertThat(cli(port, "", "TTL a", "EXPIRE a 0", "GET a", "MGET a b", "DEL a b", "DEL b"))
          .containsExactly("50", "1", "", "", "x", "1", "0");
      assertThat(cli(port, "", "LPUSH l 1 2 3", "LRANGE l 0 -1", "LRANGE l 2 1", "LRANGE l -1 9"))
          .containsExactly("3", "3", "2", "1", "", "1");
      assertThat(cli(port, "", "HSET h f 1 g 2", "HSET h f 3", "HGET h nothing", "HGET h f"))
          .containsExactly("2", "0", "", "3");
      assertThat(cli(port, "", "INCR l", "SET c x", "INCR c", "LRANGE c 0 1", "NONSENSE", "GET"))
          .satisfies(said ->
              assertThat(String.join("\n", said))
                  .contains("WRONGTYPE", "OK", "not an integer", "unknown command 'NONSENSE'")
                  .contains("wrong number of arguments"));
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void redisCli_inTheNewProtocol(String backend) throws Exception {
    assumeInstalled("redis-cli");
    try (var runtime = Tools.runtime(backend)) {
      int port = serve(runtime);
      assertThat(cli(port, "-3", "SET a 1", "GET a", "GET nothing", "HELLO"))
          .containsSequence("OK", "1")
          .contains("proto 3");
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void redisCli_hearsWhatIsPublished(String backend) throws Exception {
    assumeInstalled("redis-cli");
    try (var runtime = Tools.runtime(backend)) {
      int port = serve(runtime);
      var subscriber =
          new ProcessBuilder("redis-cli", "-p", "" + port, "SUBSCRIBE", "news", "sport").start();
      try (var said = subscriber.inputReader()) {
        assertThat(lines(said, 6))
            .containsExactly("subscribe", "news", "1", "subscribe", "sport", "2");
        assertThat(cli(port, "", "PUBLISH news hello", "PUBLISH weather rain"))
            .containsExactly("1", "0");
        assertThat(lines(said, 3)).containsExactly("message", "news", "hello");
      } finally {
        subscriber.destroyForcibly().waitFor();
      }
      dev.blitz.testkit.Await.until(
          () -> {
            try {
              return cli(port, "", "PUBLISH news again").equals(List.of("0"));
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          },
          "the subscriber is gone");
    }
  }

  private static List<String> lines(BufferedReader from, int count) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(from.readLine());
    }
    return lines;
  }

  @ParameterizedTest
  @MethodSource("backends")
  void redisBenchmark_findsNoError(String backend) throws Exception {
    assumeInstalled("redis-benchmark");
    try (var runtime = Tools.runtime(backend)) {
      String port = "" + serve(runtime);
      assertThat(
              Tools.run(
                  "redis-benchmark",
                  "-p",
                  port,
                  "-q",
                  "-n",
                  "2000",
                  "-c",
                  "20",
                  "-P",
                  "8",
                  "-t",
                  "ping,set,get,incr,lpush,hset,lrange_100"))
          .contains("PING_INLINE", "SET: ", "GET: ", "INCR: ", "LPUSH: ", "HSET: ", "LRANGE_100")
          .doesNotContain("rror");
    }
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  @Test
  void commandsInPieces_andManyAtOnce_areAnsweredInOrder() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      try (var socket = connect(serve(runtime));
          var answers = reader(socket)) {
        String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\0\u00ff\r\n\r\n";
        for (int i = 0; i < set.length(); i++) {
          send(socket, set.substring(i, i + 1));
        }
        send(socket, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n" + "PING\r\n".repeat(2000));
        assertThat(lines(answers, 4)).containsExactly("+OK", "$4", "\0\u00ff", "");
        assertThat(lines(answers, 2000)).containsOnly("+PONG");
      }
    }
  }

  @Test
  void aMalformedCommand_endsItsConnectionOnly() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      int port = serve(runtime);
      for (String nonsense : List.of("*x\r\n", "*-1\r\n", "*1\r\n+1\r\n", "*9999999999\r\n")) {
        try (var socket = connect(port);
            var answers = reader(socket)) {
          send(socket, nonsense);
          assertThat(answers.readLine()).isNull();
        }
      }
      try (var socket = connect(port);
          var answers = reader(socket)) {
        send(socket, "PING\r\n");
        assertThat(answers.readLine()).isEqualTo("+PONG");
      }
    }
  }

  @Test
  void aSubscriberThatDoesNotRead_isCutOff_andHoldsNobodyUp() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      int port = serve(runtime);
      try (var slow = connect(port);
          var slowAnswers = reader(slow);
          var publisher = connect(port);
          var answers = reader(publisher)) {
        send(slow, "SUBSCRIBE t\r\n");
        assertThat(lines(slowAnswers, 6).get(2)).isEqualTo("subscribe");
        String message =
            "*3\r\n$7\r\nPUBLISH\r\n$1\r\nt\r\n$60000\r\n" + "x".repeat(60_000) + "\r\n";
        String heard = ":1";
        for (int i = 0; i < 5_000 && heard.equals(":1"); i++) {
          send(publisher, message);
          heard = answers.readLine();
        }
        assertThat(heard).isEqualTo(":0");
      }
    }
  }
}
