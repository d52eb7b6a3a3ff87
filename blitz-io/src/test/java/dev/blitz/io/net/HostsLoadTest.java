package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many questions for many names, by way of a server that answers by UDP. */
@Strict
@OnceIsEnough
class HostsLoadTest {
  private static final int NAMES = 300;
  private static final int QUESTIONS = 6_000;

  private final AtomicInteger asked = new AtomicInteger();
  private volatile InetSocketAddress server = SocketWorld.loopback(9);

  /** As a look-up of the system does it: on a thread that waits. */
  private List<InetAddress> ask(String host) throws IOException {
    asked.incrementAndGet();
    try (var socket = new DatagramSocket()) {
      byte[] name = host.getBytes(StandardCharsets.US_ASCII);
      socket.send(new DatagramPacket(name, name.length, server));
      var answer = new DatagramPacket(new byte[16], 16);
      socket.receive(answer);
      if (answer.getLength() != 4) {
        throw new UnknownHostException(host);
      }
      byte[] four = java.util.Arrays.copyOf(answer.getData(), 4);
      return List.of(InetAddress.getByAddress(four));
    }
  }

  /** Names whose number is divisible by 10 do not exist. */
  private static void answer(UdpSocket socket) throws IOException {
    var buffer = ByteBuffer.allocateDirect(512);
    while (true) {
      var question = socket.receiveFrom(buffer.clear()).await();
      int number =
          Integer.parseInt(StandardCharsets.US_ASCII.decode(buffer.flip()).toString().substring(4));
      buffer.clear();
      if (number % 10 != 0) {
        buffer.put((byte) 10).put((byte) 0).put((byte) (number >> 8)).put((byte) number);
      }
      socket.sendTo(buffer.flip(), question.sender()).await();
    }
  }

  @Test
  void allAreAnswered_andEachNameIsAskedForOnce() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(2).nameLookup(this::ask).build()) {
      UdpSocket socket = runtime.run(Futures.lazy(() -> UdpSocket.bind(SocketWorld.loopback(0))));
      server = socket.localAddress();
      runtime.spawn(() -> answer(socket)).detach();
      List<JoinHandle<String>> answers = new ArrayList<>();
      for (int i = 0; i < QUESTIONS; i++) {
        String host = "host" + i % NAMES;
        answers.add(
            runtime.spawn(
                Futures.lazy(() -> 1)
                    .andThen(one -> Hosts.resolve(host))
                    .map(found -> found.getFirst().getHostAddress())
                    .recover(failure -> failure.getClass().getSimpleName())));
      }
      for (int i = 0; i < QUESTIONS; i++) {
        int number = i % NAMES;
        assertThat(answers.get(i).await())
            .isEqualTo(
                number % 10 == 0
                    ? "UnknownHostException"
                    : "10.0." + (number >> 8) + "." + (number & 0xff));
      }
      assertThat(asked).hasValue(NAMES);
    }
  }
}
