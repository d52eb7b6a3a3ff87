package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A SOCKS5 proxy (RFC 1928) without log-in: it connects for its clients to IPv4 and IPv6 addresses
 * and names.
 *
 * <p>Shows: a binary protocol, one time-out around a block. Run: {@code ./blitz example Socks5
 * 1080}, then {@code curl --socks5-hostname localhost:1080 http://example.org}.
 */
public final class Socks5 {
  private static final int VERSION = 5;
  private static final int CONNECT = 1;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What a request is answered with; the numbers are the RFC's. */
  private enum Answer {
    GRANTED(0),
    FAILED(1),
    NO_SUCH_HOST(4),
    REFUSED(5),
    NO_SUCH_COMMAND(7);

    final int code;

    Answer(int code) {
      this.code = code;
    }
  }

  private Socks5() {}

  /** Serves until it is killed; the argument is the port. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 1080;
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(new InetSocketAddress("localhost", port))) {
        IO.println("listening on " + listener.localAddress());
        serve(listener);
      }
    });
  }

  /** Accepts for ever. */
  static void serve(TcpListener listener) throws IOException {
    try (var clients =
        TaskScope.open(supervise((who, e) -> IO.println(e.getMessage())).and(limit(1000)))) {
      while (true) {
        var client = listener.accept().await();
        clients.spawn(owning(client), () -> pass(client));
      }
    }
  }

  private static void pass(TcpStream client) throws IOException {
    InetSocketAddress target = Task.timeout(LIMIT, () -> askedFor(client));
    try (var server = connect(target, client)) {
      answer(client, Answer.GRANTED);
      Bytes.copyBothWays(client, server).await();
    }
  }

  private static InetSocketAddress askedFor(TcpStream client) throws IOException {
    expect(VERSION, number(client));
    read(client, number(client)); // the ways to log in that it knows
    client.writeAll(ByteBuffer.wrap(new byte[] {VERSION, 0})).await(); // none is needed

    expect(VERSION, number(client));
    int command = number(client);
    read(client, 1);
    int kind = number(client);
    String host =
        switch (kind) {
          case 1 -> InetAddress.getByAddress(read(client, 4).array()).getHostAddress();
          case 3 -> new String(read(client, number(client)).array(), StandardCharsets.US_ASCII);
          case 4 -> InetAddress.getByAddress(read(client, 16).array()).getHostAddress();
          default -> throw new ProtocolException("an address of kind " + kind);
        };
    int port = read(client, 2).getChar(0);
    if (command != CONNECT) {
      answer(client, Answer.NO_SUCH_COMMAND);
      throw new ProtocolException("command " + command);
    }
    return InetSocketAddress.createUnresolved(host, port);
  }

  private static TcpStream connect(InetSocketAddress target, TcpStream client) throws IOException {
    try {
      return TcpStream.connect(target).timeout(LIMIT).await();
    } catch (IOException e) {
      answer(
          client,
          switch (e) {
            case UnknownHostException unknown -> Answer.NO_SUCH_HOST;
            case ConnectException refused -> Answer.REFUSED;
            default -> Answer.FAILED;
          });
      throw e;
    }
  }

  /** So many bytes and no more: what follows is for the server. */
  private static ByteBuffer read(TcpStream client, int count) throws IOException {
    var bytes = ByteBuffer.allocate(count);
    client.readFully(bytes).await();
    return bytes;
  }

  private static int number(TcpStream client) throws IOException {
    return Byte.toUnsignedInt(read(client, 1).get(0));
  }

  private static void answer(TcpStream client, Answer answer) throws IOException {
    byte[] bytes = {VERSION, (byte) answer.code, 0, 1, 0, 0, 0, 0, 0, 0};
    client.writeAll(ByteBuffer.wrap(bytes)).await();
  }

  private static void expect(int wanted, int got) throws ProtocolException {
    if (got != wanted) {
      throw new ProtocolException("expected version " + wanted + ", not " + got);
    }
  }
}
