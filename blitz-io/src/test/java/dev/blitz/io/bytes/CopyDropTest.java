package dev.blitz.io.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Copies that are dropped at every poll, between any two steps of those at the other ends. */
@Strict
@OnceIsEnough
class CopyDropTest {
  private static final int LANE = 4;

  /** Small rings of bytes: a client, the proxy's two ends, a server. */
  private static final class World {
    final ByteStream client;
    final ByteStream left;
    final ByteStream right;
    final ByteStream server;
    final ByteArrayOutputStream got = new ByteArrayOutputStream();
    final ByteArrayOutputStream back = new ByteArrayOutputStream();

    World() {
      Duplex one = Duplex.ofCapacity(LANE);
      Duplex other = Duplex.ofCapacity(LANE);
      client = one.near();
      left = one.far();
      right = other.near();
      server = other.far();
    }

    void send(ByteStream end, String text) throws IOException {
      assertThat(end.tryWrite(ByteBuffer.wrap(text.getBytes(US_ASCII)))).isEqualTo(text.length());
    }

    void receive(ByteStream end, ByteArrayOutputStream all) throws IOException {
      var buffer = ByteBuffer.allocate(LANE);
      int n = end.tryRead(buffer);
      if (n > 0) {
        all.write(buffer.array(), 0, n);
      }
    }

    /** All that is still under way arrives: what a drop has left is where the next one finds it. */
    void finish(BufferedByteReader in) throws IOException {
      for (boolean more = true; more; ) {
        var rest = Bytes.copy(in, right);
        Long done = rest.poll(Context.of(() -> {}));
        if (done == null) {
          rest.drop();
        }
        int before = got.size();
        receive(server, got);
        more = done == null && got.size() > before;
      }
      receive(server, got);
    }
  }

  @Test
  void copy_losesAndRepeatsNothing() {
    int runs =
        DropExplorer.explore(() -> {
          var world = new World();
          var in = BufferedByteReader.ofCapacity(LANE, world.left);
          return DropExplorer.scenario(Bytes.copy(in, world.right))
              .step("send", () -> world.send(world.client, "abc"))
              .step("receive", () -> world.receive(world.server, world.got))
              .step("send", () -> world.send(world.client, "d"))
              .step("end", () -> world.client.shutdown().await())
              .check(end -> {
                if (end.value() != null) {
                  assertThat(end.value()).isEqualTo(4);
                }
                world.finish(in);
                assertThat(world.got).hasToString("abcd");
              });
        });
    assertThat(runs).isGreaterThan(100);
  }

  /** The sides are free after a drop, and what was read is written or still there to be read. */
  @Test
  void copyBothWays_mixesNothingUp() {
    DropExplorer.explore(() -> {
      var world = new World();
      return DropExplorer.scenario(Bytes.copyBothWays(world.left, world.right))
          .step("ask", () -> world.send(world.client, "ab"))
          .step("answer", () -> world.send(world.server, "12"))
          .step("end", () -> world.client.shutdown().await())
          .step("end back", () -> world.server.shutdown().await())
          .check(end -> {
            world.receive(world.server, world.got);
            world.receive(world.client, world.back);
            assertThat("ab").startsWith(world.got.toString(US_ASCII));
            assertThat("12").startsWith(world.back.toString(US_ASCII));
            if (end.value() != null) {
              assertThat(end.value()).isEqualTo(new Traffic(2, 2));
              assertThat(world.got).hasToString("ab");
              assertThat(world.back).hasToString("12");
            }
            world.left.tryRead(ByteBuffer.allocate(1)); // nobody has the side
            world.right.tryRead(ByteBuffer.allocate(1));
          });
    });
  }
}
