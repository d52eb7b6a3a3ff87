package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a connection holds while nothing happens. */
@Strict
class TlsIdleTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  @Test
  void anIdleConnection_hasGivenItsBuffersBack_alsoWhileAReadIsPending() throws Exception {
    TlsServer server = TlsWorld.server();
    TlsClient client = TlsWorld.client();
    try (var pair = TlsWorld.shake(runtime, client, server)) {
      assertThat(TlsWorld.echoes(pair)).isTrue();
      var read = pair.server().read(ByteBuffer.allocate(1));
      assertThat(read.poll(Context.of(() -> {}))).isNull();
      int records = server.buffers().records().spares();
      assertThat(records).isPositive();
      read.drop();
      try (var another = TlsWorld.shake(runtime, client, server)) {
        assertThat(TlsWorld.echoes(another)).isTrue();
        assertThat(server.buffers().records().spares()).isEqualTo(records);
      }
      // Of a record that is read byte by byte the rest is kept, and its buffer then given back.
      pair.client().writeAll(TlsWorld.bytes("two")).await();
      assertThat(TlsWorld.read(pair.server(), 1)).isEqualTo("t");
      int kept = server.buffers().plaintexts().spares();
      assertThat(TlsWorld.read(pair.server(), 2)).isEqualTo("wo");
      assertThat(server.buffers().plaintexts().spares()).isEqualTo(kept + 1);
    }
  }

  @Test
  void closing_givesTheBuffersBack() throws Exception {
    TlsServer server = TlsWorld.server();
    Wire[] wire = Wire.pair(100);
    var pair = TlsWorld.shake(runtime, TlsWorld.client(), server, wire[0], wire[1]);
    pair.server().tryWrite(ByteBuffer.allocate(10_000));
    int before = server.buffers().records().spares();
    pair.close();
    assertThat(server.buffers().records().spares()).isEqualTo(before + 1);
  }

  /** Both ends are here, so it is twice what a server has. */
  @Test
  @OnceIsEnough
  void aThousandIdleConnections_takeLittleMemory() throws Exception {
    TlsServer server = TlsWorld.server();
    TlsClient client = TlsWorld.client();
    List<TlsWorld.Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pairs.add(idle(client, server));
    }
    long before = Memory.usedHeapAfterCollection();
    int connections = 300;
    for (int i = 0; i < connections; i++) {
      pairs.add(idle(client, server));
    }
    long each = (Memory.usedHeapAfterCollection() - before) / connections / 2;
    IO.println("bytes of heap per idle end of a TLS connection: " + each);
    assertThat(each).isLessThan(24_000);
    pairs.forEach(TlsWorld.Pair::close);
  }

  private TlsWorld.Pair idle(TlsClient client, TlsServer server) throws Exception {
    Wire[] wire = Wire.pair(2_000);
    var pair = TlsWorld.shake(runtime, client, server, wire[0], wire[1]);
    assertThat(TlsWorld.echoes(pair)).isTrue();
    return pair;
  }
}
