package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.DeepStack;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class ReceivedBytesTest {
  private static final int SIZE = 4;

  private UringRing ring;
  private BufferRing buffers;
  private LocalPair pair;
  private final ReceivedBytes received = new ReceivedBytes();

  @BeforeEach
  void open() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
    ring = new UringRing(4, 64);
    buffers = new BufferRing(ring, 0, 16, SIZE);
    pair = new LocalPair();
    SubmissionAbi.receiveMany(ring.entries(), ring.claim(), pair.reader, 0, 1);
    ring.push();
    ring.submit();
  }

  @AfterEach
  void close() {
    if (ring != null) {
      pair.close();
      ring.submitAndWait(Long.MAX_VALUE);
      ring.close();
      buffers.close();
    }
  }

  /** Sends up to {@link #SIZE} bytes and adds the buffer in which they arrive. */
  private int arrive(String text) {
    pair.send(text.getBytes(US_ASCII));
    ring.submitAndWait(Long.MAX_VALUE);
    assertThat(ring.ready()).isEqualTo(1);
    int id = CompletionAbi.buffer(ring.flags(0));
    int length = ring.result(0);
    ring.consume(1);
    buffers.took(id, length);
    return received.add(buffers, id);
  }

  private String take(int most, boolean keep) {
    byte[] bytes = new byte[most];
    int n = received.take(ByteBuffer.wrap(bytes), keep);
    return new String(bytes, 0, n, US_ASCII);
  }

  @Test
  void reads_crossBufferBoundaries_andGiveBuffersBackAtOnce() {
    assertThat(arrive("abcd")).isEqualTo(4);
    assertThat(arrive("e")).isEqualTo(5);
    assertThat(arrive("f")).isEqualTo(6);
    assertThat(arrive("ghij")).isEqualTo(10);
    assertThat(buffers.taken()).as("small ones share a buffer").isEqualTo(3);
    assertThat(take(3, false)).isEqualTo("abc");
    assertThat(buffers.taken()).isEqualTo(3);
    assertThat(take(100, true)).as("a peek").isEqualTo("defghij");
    assertThat(take(2, false)).isEqualTo("de");
    assertThat(buffers.taken()).isEqualTo(2);
    assertThat(arrive("kl")).as("none fits behind a full one").isEqualTo(7);
    assertThat(buffers.taken()).isEqualTo(3);
    assertThat(take(100, false)).isEqualTo("fghijkl");
    assertThat(buffers.taken()).isZero();
    assertThat(received.isEmpty()).isTrue();
    assertThat(take(1, false)).isEmpty();
  }

  @Test
  void close_givesBack_alsoWhatComesLater() {
    arrive("abcd");
    arrive("efgh");
    assertThat(received.close()).as("bytes were unread").isTrue();
    assertThat(buffers.taken()).isZero();
    assertThat(arrive("late")).isEqualTo(ReceivedBytes.CLOSED);
    assertThat(buffers.taken()).isZero();
    assertThat(take(9, false)).isEmpty();
  }

  @Test
  void close_tellsWhetherBytesWereLost_alsoLater() {
    arrive("abcd");
    assertThat(take(9, false)).isEqualTo("abcd");
    assertThat(received.close()).isFalse();
    arrive("late");
    assertThat(received.close()).isTrue();
  }

  /** Most programs read into the heap. */
  @Test
  void reads_takeNoMemory_whereverTheirTargetIs() {
    var heap = ByteBuffer.allocate(8);
    var direct = ByteBuffer.allocateDirect(8);
    int id = 0;
    Runnable reads =
        () -> {
          for (int i = 0; i < 100; i++) {
            buffers.took(id, 1);
            received.add(buffers, id);
            received.poll(heap, true);
            received.poll(direct, true);
            if (received.poll(heap, false) != 1) {
              throw new AssertionError("one byte was there");
            }
          }
        };
    reads.run();
    assertThat(Memory.allocatedByEach(reads)).as("of 300 reads").isLessThan(1000);
  }

  /** A close that overflows has given back nothing, or all of it. */
  @Test
  void close_atTheEndOfTheStack_givesAllBack() throws Exception {
    int levels = 1_500;
    try (var own = new UringRing(1, 2);
        var many = new BufferRing(own, 0, 2048, 1)) {
      List<ReceivedBytes> full = new ArrayList<>();
      for (int id = 0; id < levels; id++) {
        many.took(id, 1);
        full.add(new ReceivedBytes());
        full.getLast().add(many, id);
      }
      assertThat(DeepStack.climb(levels, level -> full.get(level).close())).isPositive();
      full.forEach(ReceivedBytes::close);
      assertThat(many.taken()).isZero();
    }
  }

  /** However small the arrivals are, the memory they keep is within a factor of the bytes. */
  @Test
  void manySmallArrivals_keepFewBuffers() {
    for (int i = 0; i < 8 * SIZE; i++) {
      arrive("x");
    }
    assertThat(buffers.taken()).isEqualTo(8);
    assertThat(take(100, true)).isEqualTo("x".repeat(8 * SIZE));
    assertThat(take(100, false)).isEqualTo("x".repeat(8 * SIZE));
  }

  @Test
  void end_isSeenAfterTheBytes() {
    assertThat(received.hasEnded()).isFalse();
    arrive("ab");
    received.end(104);
    assertThat(take(9, false)).isEqualTo("ab");
    assertThat(received.hasEnded()).isTrue();
    assertThat(received.endReason()).isEqualTo(104);
  }

  @Test
  void anyMixOfSizes_keepsTheOrder(TestSeed seed) {
    var random = new Random(seed.value());
    var sent = new StringBuilder();
    var read = new StringBuilder();
    for (int step = 0; step < 500; step++) {
      if (random.nextBoolean() && sent.length() - read.length() < 8 * SIZE) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 1 + random.nextInt(SIZE); i > 0; i--) {
          bytes.write('a' + random.nextInt(26));
        }
        String text = bytes.toString(US_ASCII);
        sent.append(text);
        arrive(text);
      } else {
        int most = 1 + random.nextInt(10);
        String peeked = take(most, true);
        String some = take(most, false);
        assertThat(some).isEqualTo(peeked);
        read.append(some);
      }
      assertThat(sent.toString()).startsWith(read.toString());
    }
    read.append(take(1000, false));
    assertThat(read.toString()).isEqualTo(sent.toString());
    assertThat(buffers.taken()).isZero();
  }

  /** Whoever looks between the two, or while both come, gets the bytes and then the end. */
  @Test
  void anEnd_neverOvertakesTheBytesBeforeIt() throws Exception {
    pair.send(new byte[] {7});
    ring.submitAndWait(Long.MAX_VALUE);
    int id = CompletionAbi.buffer(ring.flags(0));
    ring.consume(1);
    int rounds = 100_000;
    var streams = new AtomicReferenceArray<ReceivedBytes>(rounds);
    var seen = new AtomicInteger(-1);
    Race.run(
        2,
        me -> {
          byte[] target = new byte[SIZE];
          for (int i = 0; i < rounds; i++) {
            if (me == 0) {
              var fresh = new ReceivedBytes();
              buffers.took(id, 1);
              streams.set(i, fresh);
              fresh.add(buffers, id);
              fresh.end(0);
              while (seen.get() < i) {
                Thread.onSpinWait();
              }
            } else {
              ReceivedBytes stream = streams.get(i);
              while (stream == null) {
                Thread.onSpinWait();
                stream = streams.get(i);
              }
              int n = 0;
              while (n == 0) {
                n = stream.poll(ByteBuffer.wrap(target), false);
              }
              seen.set(n == 1 ? i : rounds); // lets the other go on
              assertThat(n).as("round %s", i).isEqualTo(1);
              streams.set(i, null);
            }
          }
        });
  }
}
