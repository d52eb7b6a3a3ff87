package dev.blitz.io.net.tls;

import static dev.blitz.io.net.tls.TlsWorld.bytes;
import static dev.blitz.io.net.tls.TlsWorld.clientConfig;
import static dev.blitz.io.net.tls.TlsWorld.serverConfig;
import static dev.blitz.io.net.tls.TlsWorld.shake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How connections end, and what changes in them before. */
@Strict
class TlsEndTest {
  private static final Context NOBODY = Context.of(() -> {});
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  @Test
  void inTheNewVersion_eachDirectionEndsByItself() throws Exception {
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server())) {
      pair.client().writeAll(bytes("last")).await();
      pair.client().shutdown().await();
      assertThat(TlsWorld.read(pair.server(), 9)).isEqualTo("last");
      pair.server().writeAll(bytes("answer")).await();
      pair.server().shutdown().await();
      assertThat(TlsWorld.read(pair.client(), 9)).isEqualTo("answer");
      assertThat(pair.client().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void inTheOldVersion_bothEnd_andBothSayGoodbye() throws Exception {
    var client = TlsClient.of(clientConfig().protocols("TLSv1.2"));
    try (var pair = shake(runtime, client, TlsWorld.server())) {
      pair.client().writeAll(bytes("last")).await();
      pair.client().shutdown().await();
      assertThat(TlsWorld.read(pair.server(), 9)).isEqualTo("last");
      assertThatThrownBy(() -> pair.server().writeAll(bytes("answer")).await())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("TLS 1.2");
      assertThat(pair.client().read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void aClose_saysGoodbye_inBothVersions() throws Exception {
    for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
      var client = TlsClient.of(clientConfig().protocols(version));
      try (var pair = shake(runtime, client, TlsWorld.server())) {
        pair.client().writeAll(bytes("x")).await();
        pair.client().close();
        pair.client().close();
        assertThat(TlsWorld.read(pair.server(), 2)).isEqualTo("x");
        assertThat(pair.server().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.EOF);
        assertThatThrownBy(() -> pair.client().tryRead(ByteBuffer.allocate(1)))
            .isInstanceOf(ClosedChannelException.class);
        assertThat(pair.client()).hasToString("TlsStream[closed]");
        assertThat(pair.client().isOpen()).isFalse();
      }
    }
  }

  /** Whoever cuts the wire must not make the end of a message look like the end of all. */
  @Test
  void aCutConnection_isNoEnd() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      pair.client().writeAll(bytes("part")).await();
      wire[0].close();
      var target = ByteBuffer.allocate(16);
      assertThat(pair.server().read(target).await()).isEqualTo(4);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> pair.server().read(target).await())
            .isInstanceOf(TruncatedException.class)
            .hasMessageContaining("close_notify");
      }
    }
  }

  @Test
  void aCutInsideOfARecord_isNoEnd() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      wire[1].in.endAfter(wire[1].in.passed() + 9);
      pair.client().writeAll(bytes("part")).await();
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(TruncatedException.class);
    }
  }

  @Test
  void aRecordThatWasChanged_endsAll_andThePeerIsTold() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      wire[1].in.corruptByte(wire[1].in.passed() + 12);
      pair.client().writeAll(bytes("important")).await();
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("has failed");
      assertThatThrownBy(() -> pair.server().writeAll(bytes("x")).await())
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("bad_record_mac");
    }
  }

  @Test
  void aServer_refusesRenegotiation() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var accepting = runtime.spawn(TlsWorld.server().accept(wire[1]));
    var peer = EnginePeer.client(clientConfig().protocols("TLSv1.2"), wire[0]);
    peer.shakeHands();
    try (TlsStream server = accepting.await()) {
      peer.say(bytes("hello"));
      assertThat(TlsWorld.read(server, 5)).isEqualTo("hello");
      peer.engine().beginHandshake();
      peer.sayAll();
      assertThatThrownBy(() -> server.read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("another handshake, which is refused");
      assertThatThrownBy(peer::hear).hasMessageContaining("close_notify during handshake");
    }
  }

  @Test
  void aClient_refusesRenegotiation() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var connecting = runtime.spawn(TlsWorld.client().connect(wire[0], TlsWorld.HOST));
    var peer = EnginePeer.server(serverConfig("server").protocols("TLSv1.2"), wire[1]);
    peer.shakeHands();
    try (TlsStream client = connecting.await()) {
      peer.engine().beginHandshake();
      peer.sayAll();
      assertThatThrownBy(() -> client.read(ByteBuffer.allocate(16)).await())
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("refused");
    }
  }

  /** In TLS 1.3 a peer may ask for new keys at any time; the answer has to go out by the reader. */
  @Test
  void keysAreUpdated_whileTheWriterWaitsForRoom() throws Exception {
    Wire[] wire = Wire.pair(1 << 12);
    var accepting = runtime.spawn(TlsWorld.server().accept(wire[1]));
    var peer = EnginePeer.client(clientConfig(), wire[0]);
    peer.shakeHands();
    try (TlsStream server = accepting.await()) {
      byte[] much = new byte[200_000];
      new java.util.SplittableRandom(5).nextBytes(much);
      var writing =
          runtime.spawn(server.writeAll(ByteBuffer.wrap(much)).andThen(d -> server.flush()));
      Await.until(
          () -> runtime.dump().stream().anyMatch(line -> line.contains("room to write")),
          "a writer that waits");
      peer.engine().beginHandshake(); // asks for new keys
      peer.sayAll();
      peer.say(bytes("after"));
      assertThat(TlsWorld.read(server, 5)).isEqualTo("after");
      var got = ByteBuffer.allocate(much.length);
      while (got.hasRemaining()) {
        got.put(peer.hear());
      }
      writing.await();
      assertThat(got.array()).isEqualTo(much);
    }
  }

  @Test
  void keysAreUpdated_againAndAgain_bothWays() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var connecting = runtime.spawn(TlsWorld.client().connect(wire[0], TlsWorld.HOST));
    var peer = EnginePeer.server(serverConfig("server"), wire[1]);
    peer.shakeHands();
    try (TlsStream client = connecting.await()) {
      for (int i = 0; i < 50; i++) {
        peer.engine().beginHandshake();
        peer.sayAll();
        peer.say(bytes("ping"));
        assertThat(TlsWorld.read(client, 4)).isEqualTo("ping");
        client.writeAll(bytes("pong")).await();
        client.flush().await();
        int got = 0;
        while (got < 4) {
          got += peer.hear().remaining();
        }
        peer.sayAll();
      }
    }
  }

  /** A peer that asks for new keys without end and reads no answer gets no memory for it. */
  @Test
  void endlessKeyUpdates_stopTheReader_whenNobodyReadsTheAnswers() throws Exception {
    Wire[] wire = Wire.pair(1 << 10);
    var accepting = runtime.spawn(TlsWorld.server().accept(wire[1]));
    var peer = EnginePeer.client(clientConfig(), wire[0]);
    peer.shakeHands();
    try (TlsStream server = accepting.await()) {
      var target = ByteBuffer.allocate(16);
      int asked = 0;
      for (boolean accepted = true; accepted; asked++) {
        peer.engine().beginHandshake();
        var record = ByteBuffer.allocate(1 << 15);
        peer.engine().wrap(ByteBuffer.allocate(0), record);
        record.flip();
        for (int i = 0; i < 10 && record.hasRemaining(); i++) {
          wire[0].tryWrite(record);
          assertThat(server.pollRead(NOBODY, target)).isEqualTo(ByteReader.PENDING);
        }
        accepted = !record.hasRemaining();
      }
      assertThat(asked).isBetween(100, 10_000);
      server.forgetRead();
    }
  }

  @Test
  void shutdownInput_endsReading() throws Exception {
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server())) {
      var reading = runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      Await.until(
          () -> runtime.dump().stream().anyMatch(line -> line.contains("bytes from")),
          "a reader that waits");
      pair.server().shutdownInput();
      assertThat(reading.await()).isEqualTo(ByteReader.EOF);
      pair.server().writeAll(bytes("still")).await();
      assertThat(TlsWorld.read(pair.client(), 5)).isEqualTo("still");
    }
  }

  /** A wire that is closed in the middle of everything: the sides are woken and told. */
  @Test
  void aTransportThatIsClosedBelow_endsBothSides() throws Exception {
    Wire[] wire = Wire.pair(1 << 12);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      var reading = runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
      var writing = runtime.spawn(pair.server().writeAll(ByteBuffer.allocate(1 << 20)));
      Await.until(
          () -> runtime.dump().stream().anyMatch(line -> line.contains("room to write")),
          "a writer that waits");
      wire[1].close();
      assertThatThrownBy(reading::await).hasRootCauseInstanceOf(IOException.class);
      assertThatThrownBy(writing::await).hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void memoryThatCannotBeTouched_isRefused_andHarmsNothing() throws Exception {
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server())) {
      ByteBuffer freed;
      try (var arena = java.lang.foreign.Arena.ofShared()) {
        freed = arena.allocate(8).asByteBuffer();
      }
      assertThatThrownBy(() -> pair.client().tryWrite(freed))
          .isInstanceOf(IllegalStateException.class);
      pair.server().writeAll(bytes("x")).await();
      assertThatThrownBy(() -> pair.client().tryRead(freed))
          .isInstanceOf(IllegalStateException.class);
      assertThat(TlsWorld.read(pair.client(), 1)).isEqualTo("x");
      assertThat(TlsWorld.echoes(pair)).isTrue();
    }
  }

  @Test
  void aVector_isOneRecord() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      assertThat(TlsWorld.echoes(pair)).isTrue();
      long before = wire[1].in.passed();
      var parts = new ByteBuffer[50];
      java.util.Arrays.setAll(parts, i -> bytes("ab"));
      assertThat(pair.client().writeVectored(parts).await()).isEqualTo(100);
      assertThat(TlsWorld.read(pair.server(), 100)).hasSize(100);
      assertThat(wire[1].in.passed() - before).isLessThan(200);
    }
  }

  @Test
  void aWriteThatIsTooMuchForTheWire_isPending_andTakesNothingThen() throws Exception {
    Wire[] wire = Wire.pair(1 << 12);
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      var source = ByteBuffer.allocate(1 << 20);
      int taken = 0;
      for (int n; (n = pair.client().tryWrite(source)) != ByteWriter.PENDING; taken += n) {
        assertThat(n).isPositive();
      }
      assertThat(source.position()).isEqualTo(taken).isLessThan(1 << 18);
    }
  }
}
