package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.ByteReader;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Parts of files as readers of their own. */
abstract class RangeConformance extends FileConformance {
  private static final int LENGTH = 1_500_001;

  RangeConformance(String backend) {
    super(backend);
  }

  /** Direct, where that can be had: then nothing is in memory, and all is read ahead. */
  private AsyncFile uncached(String name) throws Exception {
    return backend.equals(TestBackends.JDK_FILES) ? file(name) : direct(name, READ);
  }

  @Test
  void ranges_areReadBesideEachOther() throws Exception {
    byte[] data = noise(LENGTH, 1);
    Files.write(dir.resolve("f"), data);
    for (boolean cached : new boolean[] {true, false}) {
      try (AsyncFile file = cached ? file("f") : uncached("f")) {
        ByteReader one = file.range(3, 1_000_000);
        ByteReader other = file.range(700_000, Long.MAX_VALUE);
        var first = ByteBuffer.allocate(1_000_000);
        var second = ByteBuffer.allocate(LENGTH - 700_000);
        var random = new SplittableRandom(2);
        while (first.hasRemaining() || second.hasRemaining()) {
          ByteBuffer into = random.nextBoolean() && first.hasRemaining() ? first : second;
          into.limit(Math.min(into.capacity(), into.position() + random.nextInt(1, 200_000)));
          int n = (into == first ? one : other).read(into).await();
          first.limit(first.capacity());
          second.limit(second.capacity());
          if (n == -1) {
            assertThat(into.hasRemaining()).isFalse();
          }
        }
        assertThat(first.array()).isEqualTo(Arrays.copyOfRange(data, 3, 1_000_003));
        assertThat(second.array()).isEqualTo(Arrays.copyOfRange(data, 700_000, LENGTH));
        assertThat(one.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
        assertThat(other.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
        assertThat(file.position()).isZero();
      }
    }
  }

  @Test
  void droppedReads_loseNothing() throws Exception {
    byte[] data = noise(LENGTH, 3);
    Files.write(dir.resolve("f"), data);
    try (AsyncFile file = uncached("f")) {
      ByteReader range = file.range(10, LENGTH);
      var got = ByteBuffer.allocate(LENGTH);
      var random = new SplittableRandom(4);
      for (boolean ended = false; !ended; ) {
        var bell = new Bell();
        var piece = ByteBuffer.allocate(random.nextInt(1, 100_000));
        var read = range.read(piece);
        Integer n = read.poll(bell.context());
        if (n == null) {
          if (random.nextBoolean()) {
            bell.awaitAfter(0);
          }
          read.drop();
          n = range.read(piece.clear()).await();
        }
        ended = n == ByteReader.EOF;
        got.put(piece.flip());
      }
      assertThat(got.flip()).isEqualTo(ByteBuffer.wrap(data, 10, LENGTH - 10).slice());
    }
  }

  @Test
  void aFileThatShrinks_endsSooner_andAClosedOneFails() throws Exception {
    Files.write(dir.resolve("f"), noise(LENGTH, 5));
    AsyncFile file = uncached("f");
    ByteReader range = file.range(0, LENGTH);
    range.readFully(ByteBuffer.allocate(1000)).await();
    try (FileChannel channel = FileChannel.open(dir.resolve("f"), WRITE)) {
      channel.truncate(2000);
    }
    // What was read before it became shorter may still be handed out; not more than two chunks.
    byte[] rest = BufferedByteReader.of(range).readToEnd(LENGTH).await();
    assertThat(rest.length).isBetween(0, 2 * (256 << 10));
    file.close();
    assertThatThrownBy(() -> range.read(ByteBuffer.allocate(1)).await())
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aFileThatIsOnlyWritten_isRefused() throws Exception {
    write("f", "abc");
    try (AsyncFile file = file("f", WRITE)) {
      assertThatThrownBy(() -> file.range(0, 1).read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(NonReadableChannelException.class);
      assertThatThrownBy(() -> file.range(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
