package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link GracefulServer} in a JVM of its own, under load, with real signals. */
@Strict
class GracefulServerTest {
  private static final int CLIENTS = 32;

  private Process server;
  private BufferedReader said;
  private int port;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(java.io.File.separatorChar == '/', "a POSIX system");
    server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                GracefulServer.class.getName(),
                "0")
            .redirectErrorStream(true)
            .start();
    said = server.inputReader();
    String first = said.readLine();
    assertThat(first).startsWith("listening on port ");
    port = Integer.parseInt(first.substring("listening on port ".length()));
  }

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.destroyForcibly().waitFor();
      said.close();
    }
  }

  private void terminate() {
    assertThat(server.toHandle().destroy()).isTrue(); // SIGTERM, and the pipes stay open
  }

  private String restOfOutput() throws Exception {
    String rest = String.join("\n", said.lines().toList());
    assertThat(server.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return rest;
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  /**
   * A client that asks again and again. {@code answered} counts whole answers; what was asked
   * before the signal must be answered, what was asked later may be.
   */
  private Callable<Integer> client(AtomicBoolean signalled, AtomicInteger answered) {
    return () -> {
      int unansweredFromBefore = 0;
      try (Socket socket = connect()) {
        var in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (int i = 0; ; i++) {
          String request = "request " + i + " ".repeat(i % 500) + "end";
          boolean before;
          String answer;
          try {
            socket.getOutputStream().write((request + "\n").getBytes(StandardCharsets.US_ASCII));
          } catch (IOException gone) {
            return unansweredFromBefore; // nothing was sent
          }
          before = !signalled.get(); // it was sent as a whole, and the signal was not
          try {
            answer = in.readLine();
          } catch (IOException gone) {
            answer = null;
          }
          if (request.equals(answer)) {
            answered.incrementAndGet();
          } else {
            return before ? 1 : 0;
          }
        }
      }
    };
  }

  @Test
  void term_underLoad_leavesNoRequestUnanswered() throws Exception {
    var signalled = new AtomicBoolean();
    var answered = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(client(signalled, answered)));
      }
      Await.until(() -> answered.get() > 20 * CLIENTS, "the server is busy");
      // Nobody has accepted these, or read what they ask, when the signal comes.
      List<Socket> late = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Socket socket = connect();
        socket.getOutputStream().write("late\n".getBytes(StandardCharsets.US_ASCII));
        late.add(socket);
      }
      signalled.set(true);
      terminate();
      for (Future<Integer> client : clients) {
        assertThat(client.get()).as("requests from before the signal without an answer").isZero();
      }
      for (Socket socket : late) {
        try (socket) {
          assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
              .isEqualTo("late\n");
        }
      }
    } finally {
      threads.close();
    }
    assertThat(restOfOutput()).contains("shut down by SIGTERM: all work finished");
    assertThat(server.exitValue()).isZero();
  }

  @Test
  void secondTerm_forces_andTheReportNamesTheClient() throws Exception {
    try (Socket slow = connect()) {
      slow.getOutputStream().write("slow\n".getBytes(StandardCharsets.US_ASCII));
      try (Socket other = connect()) { // accepted after it, and answered
        other.getOutputStream().write("x\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(other.getInputStream().read()).isEqualTo('x');
      }
      terminate();
      terminate(); // if both come at once they are one signal: a third then forces
      Await.until(
          () -> {
            server.toHandle().destroy();
            return !server.isAlive();
          },
          "the server ends");
      assertThat(slow.getInputStream().read()).as("cut off").isEqualTo(-1);
      assertThat(restOfOutput())
          .contains("shut down by SIGTERM, forced; 1 were still at work")
          .contains("'client " + slow.getLocalPort() + "'");
    }
  }
}
