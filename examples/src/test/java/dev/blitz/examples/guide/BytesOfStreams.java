package dev.blitz.examples.guide;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.BufferedByteWriter;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Duplex;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.codec.LengthDelimited;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** docs/guide/bytes.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class BytesOfStreams {
  record Point(int x, int y) {}

  abstract void handle(String line);

  abstract int ask(ByteStream peer) throws IOException;

  /** Answers each request of four bytes with its sum; over anything. */
  static void serve(ByteStream peer) throws IOException {
    var request = ByteBuffer.allocate(4);
    var answer = ByteBuffer.allocate(4);
    for (; ; ) {
      peer.readFully(request.clear()).await();
      request.flip();
      answer.clear().putInt(request.get() + request.get() + request.get() + request.get());
      peer.writeAll(answer.flip()).await();
      peer.flush().await();
    }
  }

  static void numbers(ByteStream stream, long sum) throws IOException {
    var in = BufferedByteReader.of(stream);
    var out = BufferedByteWriter.of(stream);
    int count = in.readInt(ByteOrder.LITTLE_ENDIAN).await();
    byte[] name = in.readExactly(in.readUnsignedByte().await()).await();
    out.writeLong(sum).await();
    out.writeText("bye\r\n").await();
    out.flush().await();
  }

  static void copies(ByteStream from, ByteStream to, TcpStream client, String host, int port)
      throws IOException {
    long bytes = Bytes.copy(from, to).await();
    try (client;
        var server = TcpStream.connect(host, port).timeout(ofSeconds(5)).await()) {
      Bytes.copyBothWays(client, server).await();
    }
  }

  void frames(ByteStream stream, byte[] request) throws IOException {
    for (String line : Lines.of(stream)) {
      handle(line);
    }
    var format = LengthDelimited.ofBytes(4).limit(1 << 16);
    byte[] answer = format.reader(stream).next().await().orElseThrow();
    format.writer(stream).send(request).await();
  }

  static void points() {
    Decoder<Point> points =
        bytes -> bytes.remaining() < 8 ? null : new Point(bytes.getInt(), bytes.getInt());
    Encoder<Point> pointBytes = (point, out) -> out.putInt(point.x()).putInt(point.y());
  }

  void inMemory() throws IOException {
    var duplex = Duplex.ofCapacity(8192);
    Task.spawn(() -> serve(duplex.far()));
    assertThat(ask(duplex.near())).isEqualTo(42);
  }
}
