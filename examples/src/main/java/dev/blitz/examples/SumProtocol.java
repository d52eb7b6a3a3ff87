package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A protocol that does not know what it talks over: sums of four numbers.
 *
 * <p>Shows: ByteReader, ByteWriter, ByteStream, flush and shutdown. Run: {@code ./blitz example
 * SumProtocol}.
 */
public final class SumProtocol {
  private static final int NUMBERS = 4;

  private SumProtocol() {}

  /** Asks twice, over TCP. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(0)) {
        int port = listener.localAddress().getPort();
        var server =
            Task.spawn(() -> {
              try (var peer = listener.accept().await()) {
                return serve(peer);
              }
            });
        try (var stream = TcpStream.connect("localhost", port).await()) {
          IO.println("1 + 2 + 3 + 4 = " + sum(stream, stream, 1, 2, 3, 4));
          IO.println("5 + 6 + 7 + 8 = " + sum(stream, stream, 5, 6, 7, 8));
          stream.shutdown().await();
          IO.println("served: " + server.await());
        }
      }
    });
  }

  /** Answers until the peer has ended its side; how often. */
  static int serve(ByteStream peer) throws IOException {
    var request = ByteBuffer.allocate(NUMBERS);
    var answer = ByteBuffer.allocate(Integer.BYTES);
    int served = 0;
    while (peer.read(request.clear()).await() != ByteReader.EOF) {
      if (request.hasRemaining()) {
        peer.readFully(request).await(); // the rest of it
      }
      int sum = 0;
      for (request.flip(); request.hasRemaining(); ) {
        sum += request.get();
      }
      peer.writeAll(answer.clear().putInt(sum).flip()).await();
      peer.flush().await();
      served++;
    }
    return served;
  }

  /** Asks; what it writes to and what it reads from may be two halves, or two files. */
  static int sum(ByteWriter to, ByteReader from, int... numbers) throws IOException {
    var request = ByteBuffer.allocate(NUMBERS);
    for (int number : numbers) {
      request.put((byte) number);
    }
    to.writeAll(request.flip()).await();
    to.flush().await();
    var answer = ByteBuffer.allocate(Integer.BYTES);
    from.readFully(answer).await();
    return answer.flip().getInt();
  }
}
