package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class BufferRingTest {
  private static final long FOREVER = Long.MAX_VALUE;
  private static final int ENOBUFS = 105;

  @BeforeEach
  void needsIoUring() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
  }

  private static void receive(UringRing ring, BufferRing buffers, int fd, long userData) {
    SubmissionAbi.receiveMany(ring.entries(), ring.claim(), fd, buffers.group(), userData);
    ring.push();
    ring.submit();
  }

  private static String text(BufferRing buffers, int id, int length) {
    byte[] bytes = new byte[length];
    buffers.copyOut(id, 0, MemorySegment.ofArray(bytes), 0, length);
    return new String(bytes, US_ASCII);
  }

  @Test
  void multishotReceive_fillsOneBufferAfterTheOther() {
    try (var ring = new UringRing(4, 8);
        var buffers = new BufferRing(ring, 7, 4, 8);
        var pair = new LocalPair()) {
      receive(ring, buffers, pair.reader, 1);
      var all = new StringBuilder();
      for (int i = 0; i < 20; i++) { // five times around
        pair.send(("message" + i % 10).getBytes(US_ASCII));
        ring.submitAndWait(FOREVER);
        assertThat(ring.ready()).isEqualTo(1);
        int flags = ring.flags(0);
        assertThat(CompletionAbi.isLast(flags)).isFalse();
        assertThat(ring.result(0)).isEqualTo(8);
        int id = CompletionAbi.buffer(flags);
        ring.consume(1);
        buffers.took(id, 1);
        assertThat(buffers.taken()).isEqualTo(1);
        all.append(text(buffers, id, 8));
        buffers.giveBack(id);
      }
      assertThat(all).startsWith("message0message1").hasSize(160);
      pair.closeWriter();
      ring.submitAndWait(FOREVER);
      assertThat(ring.result(0)).as("end of the stream").isZero();
      assertThat(CompletionAbi.isLast(ring.flags(0))).isTrue();
      ring.consume(1);
    }
  }

  @Test
  void exhaustion_endsTheReceive_andDataWaitsForTheNext() {
    try (var ring = new UringRing(4, 16);
        var buffers = new BufferRing(ring, 0, 2, 4);
        var pair = new LocalPair()) {
      receive(ring, buffers, pair.reader, 1);
      pair.send("abcdefghijkl".getBytes(US_ASCII));
      while (ring.ready() < 3) {
        ring.submitAndWait(FOREVER);
      }
      assertThat(ring.result(0)).isEqualTo(4);
      assertThat(ring.result(1)).isEqualTo(4);
      assertThat(ring.result(2)).isEqualTo(-ENOBUFS);
      assertThat(CompletionAbi.isLast(ring.flags(2))).isTrue();
      int first = CompletionAbi.buffer(ring.flags(0));
      buffers.took(first, 1);
      assertThat(text(buffers, first, 4)).isEqualTo("abcd");
      ring.consume(3);
      buffers.giveBack(first);
      receive(ring, buffers, pair.reader, 2);
      ring.submitAndWait(FOREVER);
      assertThat(ring.result(0)).isEqualTo(4);
      buffers.took(CompletionAbi.buffer(ring.flags(0)), 1);
      assertThat(text(buffers, CompletionAbi.buffer(ring.flags(0)), 4)).isEqualTo("ijkl");
      pair.closeWriter();
      ring.consume(1);
      ring.submitAndWait(FOREVER);
      ring.consume(ring.ready());
    }
  }

  @Test
  void buffersGivenBackByManyThreads_areAllUsable() throws Exception {
    int count = 64;
    try (var ring = new UringRing(4, 128);
        var buffers = new BufferRing(ring, 0, count, 1);
        var pair = new LocalPair()) {
      for (int round = 0; round < 20; round++) {
        receive(ring, buffers, pair.reader, round);
        pair.send(new byte[count + 1]);
        while (ring.ready() < count + 1) {
          ring.submitAndWait(FOREVER);
        }
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
          ids[i] = CompletionAbi.buffer(ring.flags(i));
          buffers.took(ids[i], 1);
        }
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ring.result(count)).isEqualTo(-ENOBUFS);
        ring.consume(count + 1);
        Race.run(
            4,
            racer -> {
              for (int i = racer; i < count; i += 4) {
                buffers.giveBack(ids[i]);
              }
            });
        assertThat(buffers.taken()).isZero();
        receive(ring, buffers, pair.reader, -1);
        ring.submitAndWait(FOREVER); // the byte that was left
        int id = CompletionAbi.buffer(ring.flags(0));
        buffers.took(id, 1);
        ring.consume(1);
        buffers.giveBack(id);
        SubmissionAbi.cancel(ring.entries(), ring.claim(), -1, -2);
        ring.push();
        while (ring.ready() < 2) {
          ring.submitAndWait(FOREVER);
        }
        ring.consume(2);
      }
    }
  }

  @Test
  void unregistered_groupCanBeRegisteredAgain() {
    try (var ring = new UringRing(4, 8)) {
      try (var buffers = new BufferRing(ring, 3, 2, 8)) {
        assertThatThrownBy(() -> new BufferRing(ring, 3, 2, 8))
            .isInstanceOf(UringException.class)
            .hasMessageContaining("registering a buffer ring");
        buffers.unregister();
      }
      new BufferRing(ring, 3, 2, 8).close();
    }
  }

  @Test
  void count_mustBeAPowerOfTwo() {
    try (var ring = new UringRing(4, 8)) {
      assertThatThrownBy(() -> new BufferRing(ring, 0, 3, 8))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
