package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.net.UdpSocket;
import dev.blitz.io.net.UnixListener;
import dev.blitz.io.net.UnixStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small name server: questions by UDP, and an admin console on a Unix socket.
 *
 * <p>Shows: UdpSocket, UnixListener, UnixStream, time-outs. Run: {@code ./blitz example Names}.
 */
public final class Names {
  private static final int LONGEST = 512;

  private Names() {}

  /** Adds a name by the console, and asks for two by UDP. */
  public static void main(String[] args) throws Exception {
    Path directory = Files.createTempDirectory("names");
    Path console = directory.resolve("admin");
    Map<String, String> table = new ConcurrentHashMap<>();
    try {
      Blitz.run(() -> {
        try (var questions = UdpSocket.bind(0);
            var admins = UnixListener.bind(console)) {
          var answers = Task.spawn(() -> answer(questions, table));
          var consoles = Task.spawn(() -> administer(admins, table));
          IO.println("admin: " + tell(console, "add printer 192.0.2.7"));
          var server = new InetSocketAddress("localhost", questions.localAddress().getPort());
          IO.println("printer: " + ask(server, "printer"));
          IO.println("scanner: " + ask(server, "scanner"));
          answers.cancel();
          consoles.cancel();
        }
      });
    } finally {
      Files.deleteIfExists(console);
      Files.delete(directory);
    }
  }

  /** Answers questions until it is cancelled; one that does not fit is none. */
  static void answer(UdpSocket socket, Map<String, String> table) throws IOException {
    var buffer = ByteBuffer.allocateDirect(LONGEST);
    while (true) {
      var question = socket.receiveFrom(buffer.clear()).await();
      if (!question.truncated()) {
        String name = StandardCharsets.UTF_8.decode(buffer.flip()).toString();
        socket.sendTo(bytes(table.getOrDefault(name, "unknown")), question.sender()).await();
      }
    }
  }

  /** Asks once more if there is no answer: a datagram may be lost. */
  static String ask(InetSocketAddress server, String name) throws IOException {
    try (var socket = UdpSocket.connected(server)) {
      var answer = ByteBuffer.allocate(LONGEST);
      for (int attempt = 1; ; attempt++) {
        socket.send(bytes(name)).await();
        try {
          socket.receive(answer.clear()).timeout(Duration.ofSeconds(2)).await();
          return StandardCharsets.UTF_8.decode(answer.flip()).toString();
        } catch (dev.blitz.io.future.TimedOutException e) {
          if (attempt == 2) {
            throw e;
          }
        }
      }
    }
  }

  /** One command per connection. */
  static void administer(UnixListener listener, Map<String, String> table) throws IOException {
    while (true) {
      try (UnixStream admin = listener.accept().await()) {
        String[] words = readAll(admin).split(" ", 3);
        if (words.length == 3 && words[0].equals("add")) {
          table.put(words[1], words[2]);
          admin.writeAll(bytes("added")).await();
        } else {
          admin.writeAll(bytes("usage: add NAME ADDRESS")).await();
        }
      }
    }
  }

  static String tell(Path console, String command) throws IOException {
    try (UnixStream stream = UnixStream.connect(console).await()) {
      stream.writeAll(bytes(command)).await();
      stream.shutdownOutput();
      return readAll(stream);
    }
  }

  private static String readAll(UnixStream stream) throws IOException {
    var buffer = ByteBuffer.allocate(LONGEST);
    while (buffer.hasRemaining() && stream.read(buffer).await() >= 0) {
      // until the other side has ended
    }
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  private static ByteBuffer bytes(String text) {
    return StandardCharsets.UTF_8.encode(text);
  }
}
