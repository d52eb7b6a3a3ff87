package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** The other side of a connection as a bare engine, whose every record a test decides on. */
final class EnginePeer {
  private final SSLEngine engine;
  private final ByteStream transport;
  private ByteBuffer in = ByteBuffer.allocate(1 << 16).limit(0);

  EnginePeer(SSLEngine engine, ByteStream transport) {
    this.engine = engine;
    this.transport = transport;
  }

  /** One that speaks as a client of {@code config}. */
  static EnginePeer client(TlsConfig config, ByteStream transport) throws IOException {
    var peers = Contexts.peers(config, true, TlsBuffers.create());
    return new EnginePeer(peers.newEngine(java.util.Optional.of(TlsWorld.HOST), -1), transport);
  }

  /** One that speaks as a server of {@code config}. */
  static EnginePeer server(TlsConfig config, ByteStream transport) throws IOException {
    var peers = Contexts.peers(config, false, TlsBuffers.create());
    return new EnginePeer(peers.newEngine(java.util.Optional.empty(), -1), transport);
  }

  SSLEngine engine() {
    return engine;
  }

  void shakeHands() throws IOException {
    engine.beginHandshake();
    for (; ; ) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> say(ByteBuffer.allocate(0));
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> hear();
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  /** Sends a record of {@code data}, or of what the engine has to say. */
  SSLEngineResult say(ByteBuffer data) throws IOException {
    var record = ByteBuffer.allocate(1 << 15);
    SSLEngineResult result = engine.wrap(data, record);
    send(record.flip());
    return result;
  }

  void sayAll() throws IOException {
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      say(ByteBuffer.allocate(0));
    }
  }

  void send(ByteBuffer bytes) {
    Await.until(
        () -> {
          int n = transport.tryWrite(bytes);
          return !bytes.hasRemaining() && n != ByteWriter.PENDING;
        },
        "room on the wire");
  }

  /** One record; its content, which may be empty. */
  ByteBuffer hear() throws IOException {
    var content = ByteBuffer.allocate(1 << 15);
    for (; ; ) {
      SSLEngineResult result = engine.unwrap(in, content);
      if (result.getStatus() != Status.BUFFER_UNDERFLOW) {
        return content.flip();
      }
      in.compact();
      Await.until(
          () -> {
            int n = transport.tryRead(in);
            if (n == ByteReader.EOF) {
              throw new IOException("the end");
            }
            return n != ByteReader.PENDING;
          },
          "bytes on the wire");
      in.flip();
    }
  }
}
