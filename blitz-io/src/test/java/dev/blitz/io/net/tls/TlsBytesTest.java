package dev.blitz.io.net.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.Duplex;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What works over every stream works over TLS. */
@Strict
class TlsBytesTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  /** Through a proxy that decrypts and encrypts again, and so through two TLS connections. */
  @Test
  void copiedBothWays_bytesAndTheEndArrive() throws Exception {
    TlsServer server = TlsWorld.server();
    TlsClient client = TlsWorld.client();
    try (var outer = Duplex.ofCapacity(3_000);
        var inner = Duplex.ofCapacity(5_000);
        var one = TlsWorld.shake(runtime, client, server, outer.near(), outer.far());
        var two = TlsWorld.shake(runtime, client, server, inner.near(), inner.far())) {
      var proxy = runtime.spawn(Bytes.copyBothWays(one.server(), two.client()));
      byte[] data = new byte[300_000];
      new SplittableRandom(1).nextBytes(data);
      var sending =
          runtime.spawn(
              one.client().writeAll(ByteBuffer.wrap(data)).andThen(d -> one.client().shutdown()));
      var got = ByteBuffer.allocate(data.length);
      two.server().readFully(got).await();
      assertThat(got.array()).isEqualTo(data);
      assertThat(two.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      sending.await();
      two.server().writeAll(TlsWorld.bytes("thanks")).await();
      two.server().shutdown().await();
      assertThat(TlsWorld.read(one.client(), 9)).isEqualTo("thanks");
      var traffic = proxy.await();
      assertThat(traffic.toString()).contains("300000").contains("6");
    }
  }

  @Test
  void aBufferedReader_readsMessages() throws Exception {
    try (var pair = TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server())) {
      pair.client().writeAll(TlsWorld.bytes("onetwothr")).await();
      pair.client().writeAll(TlsWorld.bytes("ee")).await();
      var reader = BufferedByteReader.of(pair.server());
      for (String word : new String[] {"one", "two", "three"}) {
        assertThat(new String(reader.readExactly(word.length()).await(), UTF_8)).isEqualTo(word);
      }
    }
  }

  /** TLS inside of TLS: the transport is any stream. */
  @Test
  void tls_isATransport() throws Exception {
    try (var outer = TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server());
        var inner =
            TlsWorld.shake(
                runtime, TlsWorld.client(), TlsWorld.server(), outer.client(), outer.server())) {
      assertThat(TlsWorld.echoes(inner)).isTrue();
    }
  }
}
