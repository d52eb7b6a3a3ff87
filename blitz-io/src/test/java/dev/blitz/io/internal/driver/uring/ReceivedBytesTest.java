package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
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
  private int arrive(String text, boolean copy) {
    pair.send(text.getBytes(US_ASCII));
    ring.submitAndWait(Long.MAX_VALUE);
    assertThat(ring.ready()).isEqualTo(1);
    int id = CompletionAbi.buffer(ring.flags(0));
    int length = ring.result(0);
    ring.consume(1);
    buffers.took(id);
    return received.add(buffers, id, length, copy);
  }

  private String take(int most, boolean keep) {
    byte[] bytes = new byte[most];
    int n = (int) received.take(MemorySegment.ofArray(bytes), 0, keep);
    return new String(bytes, 0, n, US_ASCII);
  }

  @Test
  void reads_crossBufferBoundaries_andGiveBuffersBackAtOnce() {
    assertThat(arrive("abcd", false)).isEqualTo(4);
    assertThat(arrive("ef", true)).isEqualTo(6);
    assertThat(arrive("ghij", false)).isEqualTo(10);
    assertThat(buffers.taken()).as("the copied one is back already").isEqualTo(2);
    assertThat(take(3, false)).isEqualTo("abc");
    assertThat(buffers.taken()).isEqualTo(2);
    assertThat(take(100, true)).as("a peek").isEqualTo("defghij");
    assertThat(take(2, false)).isEqualTo("de");
    assertThat(buffers.taken()).isEqualTo(1);
    assertThat(take(100, false)).isEqualTo("fghij");
    assertThat(buffers.taken()).isZero();
    assertThat(received.isEmpty()).isTrue();
    assertThat(take(1, false)).isEmpty();
  }

  @Test
  void close_givesBack_alsoWhatComesLater() {
    arrive("abcd", false);
    arrive("efgh", true);
    received.close();
    assertThat(buffers.taken()).isZero();
    assertThat(arrive("late", false)).isZero();
    assertThat(buffers.taken()).isZero();
    assertThat(take(9, false)).isEmpty();
  }

  @Test
  void end_isSeenAfterTheBytes() {
    assertThat(received.hasEnded()).isFalse();
    arrive("ab", false);
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
        arrive(text, random.nextInt(3) == 0);
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
}
