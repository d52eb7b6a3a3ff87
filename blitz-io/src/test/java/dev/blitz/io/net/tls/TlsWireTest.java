package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever the wire does to the bytes: they arrive as they were, or it is noticed. */
@Strict
class TlsWireTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  /** Each record of handshake, data and end comes in pieces of each length. */
  @Test
  void recordsInPieces_areWhole() throws Exception {
    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      var client = TlsClient.of(TlsWorld.clientConfig().protocols(version));
      for (int piece : new int[] {1, 2, 3, 4, 5, 6, 7, 16, 17, 100}) {
        Wire[] wire = Wire.pair(1 << 16);
        wire[0].in.deliverPiecesOf(piece);
        wire[1].in.deliverPiecesOf(piece);
        try (var pair = TlsWorld.shake(runtime, client, TlsWorld.server(), wire[0], wire[1])) {
          assertThat(TlsWorld.echoes(pair)).isTrue();
          pair.client().shutdown().await();
          assertThat(TlsWorld.read(pair.server(), 1)).isEmpty();
        }
      }
    }
  }

  /** A wire so narrow that every record is sent in parts, and both sides wait all the time. */
  @Test
  void aNarrowWire_carriesAll() throws Exception {
    for (int capacity : new int[] {1, 5, 64}) {
      Wire[] wire = Wire.pair(capacity);
      try (var pair =
          TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
        var there = runtime.spawn(pair.client().writeAll(TlsWorld.bytes("x".repeat(500))));
        var back = runtime.spawn(pair.server().writeAll(TlsWorld.bytes("y".repeat(500))));
        var heard = runtime.spawn(() -> TlsWorld.read(pair.client(), 500));
        assertThat(TlsWorld.read(pair.server(), 500)).isEqualTo("x".repeat(500));
        assertThat(heard.await()).isEqualTo("y".repeat(500));
        there.await();
        back.await();
      }
    }
  }

  /** The connection in one thread, polled by hand: one side as far as it goes, then the other. */
  private static final class ByHand {
    private final Wire[] wire = Wire.pair(1 << 16);
    private final Context cx = Context.of(() -> {});

    /** What arrives of two messages, or why not. */
    String talk(TlsClient client, TlsServer server, boolean toServer, long corrupt, long cut) {
      Wire.Lane lane = wire[toServer ? 1 : 0].in;
      lane.corruptByte(corrupt);
      lane.endAfter(cut);
      var connect = client.connect(wire[0], TlsWorld.HOST);
      var accept = server.accept(wire[1]);
      TlsStream near = null;
      TlsStream far = null;
      try {
        for (int rounds = 0; near == null || far == null; rounds++) {
          if (rounds == 20) {
            return "stuck";
          }
          near = near != null ? near : connect.poll(cx);
          far = far != null ? far : accept.poll(cx);
        }
        near.writeAll(TlsWorld.bytes("question")).poll(cx);
        String heard = heard(far);
        far.writeAll(TlsWorld.bytes("answer")).poll(cx);
        far.shutdown().poll(cx);
        return heard + heard(near);
      } catch (IOException e) {
        return "noticed";
      } finally {
        connect.drop();
        accept.drop();
        wire[0].close();
        wire[1].close();
      }
    }

    private String heard(TlsStream end) throws IOException {
      var target = java.nio.ByteBuffer.allocate(64);
      int n = end.tryRead(target);
      while (n > 0) {
        n = end.tryRead(target);
      }
      return java.nio.charset.StandardCharsets.US_ASCII.decode(target.flip())
          + (n == -1 ? "!" : "");
    }
  }

  /**
   * A byte that arrives changed is noticed, whichever it is; but for some of headers in which
   * nothing is said, such as the version of the first record.
   */
  @Test
  @OnceIsEnough
  void aByteThatIsChanged_isNoticed_whereverItIs() throws Exception {
    tamper(true, 8);
  }

  /** A connection that is cut after any byte is noticed before the end has been said. */
  @Test
  @OnceIsEnough
  void aConnectionThatIsCut_isNoticed_whereverItIs() throws Exception {
    tamper(false, 0);
  }

  /** New clients each time: they would resume their sessions. */
  private static void tamper(boolean corrupt, int mostUnnoticed) throws Exception {
    TlsServer server = TlsWorld.server();
    for (boolean toServer : new boolean[] {true, false}) {
      var whole = new ByHand();
      String expected = whole.talk(TlsWorld.client(), server, toServer, -1, Long.MAX_VALUE);
      assertThat(expected).isEqualTo("questionanswer!");
      long length = whole.wire[toServer ? 1 : 0].in.passed();
      assertThat(length).isGreaterThan(500);
      int unnoticed = 0;
      for (long place = 0; place < length; place += 3) {
        var tampered = new ByHand();
        String outcome =
            corrupt
                ? tampered.talk(TlsWorld.client(), server, toServer, place, Long.MAX_VALUE)
                : tampered.talk(TlsWorld.client(), server, toServer, -1, place);
        // A length that was changed leaves one side waiting for the rest.
        assertThat(outcome).isIn("noticed", "stuck", "answer!", "question", expected);
        // Signatures differ in length: a place near the end may be behind it.
        boolean nothingCut = !corrupt && !tampered.wire[toServer ? 1 : 0].in.hasLeft();
        unnoticed += outcome.equals(expected) && !nothingCut ? 1 : 0;
      }
      assertThat(unnoticed).as("of " + length / 3).isLessThanOrEqualTo(mostUnnoticed);
    }
  }
}
