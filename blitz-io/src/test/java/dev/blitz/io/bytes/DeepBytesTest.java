package dev.blitz.io.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.future.Context;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Streams of bytes at the end of the stack: none is lost, and none comes twice. */
@Strict
@OnceIsEnough
class DeepBytesTest {
  private static final Context CX = Context.of(() -> {});
  private static final int ROUNDS = 6;
  private static final int MANY = 50_000;

  @Test
  void numbers_comeInOrder() throws Exception {
    var bytes = ByteBuffer.allocate(Integer.BYTES * MANY);
    for (int i = 0; i < MANY; i++) {
      bytes.putInt(i);
    }
    var in = BufferedByteReader.ofCapacity(64, Bytes.reader(bytes.flip()));
    int[] next = {0};
    DeepCalls.Call call =
        () -> {
          Integer n = next[0] < MANY - 1 ? in.readInt().poll(CX) : null;
          if (n != null) {
            int expected = next[0]++;
            assertThat(n == expected).isTrue();
          }
        };
    call.make();
    int overflows = 0;
    for (int round = 0; round < ROUNDS; round++) {
      overflows += DeepCalls.downToTheEnd(call, round);
    }
    assertThat(overflows).isPositive();
    assertThat(in.readInt().await()).isEqualTo(next[0]);
  }

  @Test
  void aCopy_movesEachByteOnce() throws Exception {
    byte[] data = new byte[MANY];
    for (int i = 0; i < MANY; i++) {
      data[i] = (byte) (i * 31 + (i >> 8));
    }
    try (Duplex pipe = Duplex.ofCapacity(8)) {
      var in = BufferedByteReader.ofCapacity(16, Bytes.reader(ByteBuffer.wrap(data)));
      var got = ByteBuffer.allocate(MANY);
      DeepCalls.Call call =
          () -> {
            var copy = Bytes.copy(in, pipe.near());
            if (copy.poll(CX) == null) {
              copy.drop();
            }
            pipe.far().tryRead(got);
          };
      call.make();
      int overflows = 0;
      for (int round = 0; round < ROUNDS; round++) {
        overflows += DeepCalls.downToTheEnd(call, round);
      }
      assertThat(overflows).isPositive();
      while (got.hasRemaining()) {
        call.make();
      }
      assertThat(got.array()).isEqualTo(data);
    }
  }

  @Test
  void lines_comeInOrder() throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      text.append(i).append('\n');
    }
    var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
    try (var lines = Lines.of(Bytes.reader(bytes))) {
      int[] next = {0};
      DeepCalls.Call call =
          () -> {
            String line = lines.pollNext(CX);
            if (line != null) {
              int expected = next[0]++;
              assertThat(Integer.parseInt(line) == expected).isTrue();
            }
          };
      call.make();
      for (int round = 0; round < ROUNDS && !lines.hasEnded(); round++) {
        DeepCalls.downToTheEnd(call, round);
      }
      if (!lines.hasEnded()) {
        assertThat(lines.pollNext(CX)).isEqualTo(String.valueOf(next[0]));
      }
    }
  }
}
