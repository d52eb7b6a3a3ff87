package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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
    buffers.copyOut(id, 0, ByteBuffer.wrap(bytes), 0, length);
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

  /**
   * One completion for each buffer that was filled, one for each receive that ended: serves all.
   */
  private static List<Integer> serve(UringRing ring, BufferRing buffers, int count) {
    List<Integer> ids = new ArrayList<>();
    while (ring.ready() < count) {
      ring.submitAndWait(FOREVER);
    }
    for (int i = 0; i < count; i++) {
      int flags = ring.flags(0);
      int result = ring.result(0);
      ring.consume(1);
      if (CompletionAbi.hasBuffer(flags)) {
        buffers.took(CompletionAbi.buffer(flags), result);
        ids.add(CompletionAbi.buffer(flags));
      } else {
        assertThat(result).isEqualTo(-ENOBUFS);
        assertThat(buffers.ranOut()).isTrue();
      }
    }
    return ids;
  }

  /** Each of the receives that a burst ends tells the same: the kernel gets more only once. */
  @Test
  void aBurst_thatEndsManyReceives_doublesTheBuffersOnce() {
    int streams = 6;
    try (var ring = new UringRing(16, 64);
        var buffers = new BufferRing(ring, 0, 64, 8, 2)) {
      List<LocalPair> pairs = new ArrayList<>();
      try {
        for (int i = 0; i < streams; i++) {
          pairs.add(new LocalPair());
          receive(ring, buffers, pairs.get(i).reader, i);
        }
        int before = 2;
        for (int burst = 0; burst < 2; burst++) {
          for (LocalPair pair : pairs) {
            pair.send("message.".getBytes(US_ASCII));
          }
          List<Integer> ids = serve(ring, buffers, streams);
          assertThat(ids).hasSize(before);
          assertThat(buffers.provided()).isEqualTo(2 * before);
          assertThat(buffers.taken()).isEqualTo(before);
          // Armed again: what had to wait is found, and there is enough for that.
          ids.forEach(buffers::giveBack);
          for (int i = before; i < streams; i++) {
            receive(ring, buffers, pairs.get(i).reader, i);
          }
          serve(ring, buffers, streams - before).forEach(buffers::giveBack);
          assertThat(buffers.provided()).isEqualTo(2 * before);
          before *= 2;
        }
        for (int burst = 0; burst < 5; burst++) { // eight are enough for six
          for (LocalPair pair : pairs) {
            pair.send("message.".getBytes(US_ASCII));
          }
          serve(ring, buffers, streams).forEach(buffers::giveBack);
          assertThat(buffers.provided()).isEqualTo(8);
        }
        pairs.forEach(LocalPair::closeWriter);
        while (ring.ready() < streams) {
          ring.submitAndWait(FOREVER);
        }
        ring.consume(streams);
      } finally {
        pairs.forEach(LocalPair::close);
      }
    }
  }

  /** Small messages share buffers: few are filled, though the kernel has used all of them. */
  @Test
  void aWant_thatIsOverWhenItIsToldOf_counts() {
    try (var ring = new UringRing(4, 16);
        var buffers = new BufferRing(ring, 0, 16, 8, 4)) {
      for (int id = 0; id < 4; id++) {
        buffers.took(id, 1);
        if (id > 0) {
          assertThat(buffers.join(0, id)).isTrue();
        }
      }
      assertThat(buffers.taken()).isEqualTo(1);
      assertThat(buffers.ranOut()).isTrue();
      assertThat(buffers.provided()).isEqualTo(8);
      assertThat(buffers.ranOut()).isTrue();
      assertThat(buffers.provided()).as("told of the same want").isEqualTo(8);
    }
  }

  @Test
  void withAllBuffersGiven_thereAreNoMoreToBeHad() {
    try (var ring = new UringRing(4, 16);
        var buffers = new BufferRing(ring, 0, 4, 4)) {
      assertThat(buffers.ranOut()).as("told before they were used").isTrue();
      for (int id = 0; id < 4; id++) {
        assertThat(buffers.isExhausted()).isFalse();
        buffers.took(id, 4);
      }
      assertThat(buffers.isExhausted()).isTrue();
      assertThat(buffers.ranOut()).isFalse();
      assertThat(buffers.provided()).isEqualTo(4);
      buffers.giveBack(0);
      assertThat(buffers.isExhausted()).isFalse();
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
  void aGroupThatIsTaken_isRefused() {
    try (var ring = new UringRing(4, 8);
        var buffers = new BufferRing(ring, 3, 2, 8)) {
      assertThatThrownBy(() -> new BufferRing(ring, buffers.group(), 2, 8))
          .isInstanceOf(UringException.class)
          .hasMessageContaining("registering a buffer ring");
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
