package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Await;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts of files in memory. */
abstract class MapConformance extends FileConformance {
  private static final int LENGTH = 100_003;

  MapConformance(String backend) {
    super(backend);
  }

  private long mappings(Path path) throws Exception {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(path.toString())).count();
    }
  }

  @Test
  void aPart_isRead_alsoWhenTheFileIsClosedAndDeleted() throws Exception {
    byte[] data = noise(LENGTH, 1);
    Path path = Files.write(dir.resolve("f"), data);
    FileMapping mapping;
    FileMapping rest;
    try (AsyncFile file = file("f")) {
      mapping = file.map(4099, 5000).await();
      rest = file.map(LENGTH - 1, 1).await();
      assertThat(file.position()).isZero();
    }
    Files.delete(path);
    try (mapping;
        rest) {
      assertThat(mapping.position()).isEqualTo(4099);
      assertThat(mapping.length()).isEqualTo(5000);
      assertThat(mapping.segment().toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(data, 4099, 9099));
      assertThat(rest.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(data[LENGTH - 1]);
      assertThat(mapping.segment().isReadOnly()).isTrue();
      assertThat(mappings(path)).isPositive();
    }
    assertThat(mapping.isOpen()).isFalse();
    mapping.close();
    assertThatThrownBy(() -> mapping.segment().get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(mappings(path)).isZero();
  }

  @Test
  void whatIsNotThere_isRefused() throws Exception {
    write("f", "abc");
    write("empty", "");
    try (AsyncFile file = file("f", READ, WRITE);
        AsyncFile empty = file("empty");
        AsyncFile writer = file("f", WRITE)) {
      assertThatThrownBy(() -> file.map(0, 4).await())
          .isInstanceOf(EOFException.class)
          .hasMessageContaining(file.path() + ": map: has 3 bytes");
      assertThatThrownBy(() -> file.map(3, 1).await()).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> file.map(1L << 62, 1).await()).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> empty.map(0, 1).await()).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> file.map(0, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.map(-1, 1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.map(1, Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.map(0, 1).await())
          .isInstanceOf(NonReadableChannelException.class);
    }
    AsyncFile closed = file("f");
    closed.close();
    assertThatThrownBy(() -> closed.map(0, 1).await()).isInstanceOf(ClosedChannelException.class);
    assertThat(mappings(dir)).isZero();
  }

  /** To map it, it would be opened once more, and that lasts until somebody writes. */
  @Test
  void aFifo_isRefused_alsoWhenNobodyWrites() throws Exception {
    Path fifo = fifo();
    FileChannel both = FileChannel.open(fifo, READ, WRITE);
    try (AsyncFile file = await(() -> AsyncFile.open(fifo))) {
      both.close();
      assertThatThrownBy(() -> FifoConformance.await(file.map(0, 1), new Bell()))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining(fifo + ": map: has 0 bytes");
    } finally {
      FileChannel.open(fifo, READ, WRITE).close(); // lets go who waits all the same
    }
  }

  @Test
  void aFileThatShrinks_isAnError_andNoCrash() throws Exception {
    Files.write(dir.resolve("f"), noise(LENGTH, 2));
    try (AsyncFile file = file("f");
        FileMapping mapping = file.map(0, LENGTH).await();
        FileChannel channel = FileChannel.open(dir.resolve("f"), WRITE);
        AsyncFile copy = await(() -> AsyncFile.create(dir.resolve("copy")))) {
      channel.truncate(10);
      MemorySegment memory = mapping.segment();
      memory.get(ValueLayout.JAVA_BYTE, 9);
      assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, LENGTH - 1))
          .isInstanceOf(InternalError.class);
      assertThatThrownBy(() -> copy.writeAll(memory.asSlice(90_000)).await())
          .isInstanceOfAny(InternalError.class, IOException.class);
      channel.write(ByteBuffer.allocate(1), LENGTH - 1); // back again, as zeros
      assertThat(memory.get(ValueLayout.JAVA_BYTE, LENGTH - 2)).isZero();
    }
  }

  @Test
  void aDroppedMapping_isUnmapped() throws Exception {
    Path path = Files.write(dir.resolve("f"), noise(LENGTH, 3));
    try (AsyncFile file = file("f")) {
      for (int i = 0; i < 20; i++) {
        dropAtEveryPoll(() ->
            new Scene<>(
                file.map(0, LENGTH),
                value -> {
                  if (value != null) {
                    value.close();
                  }
                }));
      }
    }
    Await.until(() -> mappings(path) == 0, "nothing is mapped");
  }

  @Test
  void many_areMapped() throws Exception {
    byte[] data = noise(LENGTH, 4);
    Path path = Files.write(dir.resolve("f"), data);
    List<FileMapping> all = new ArrayList<>();
    try (AsyncFile file = file("f")) {
      for (int i = 0; i < 1_000; i++) {
        all.add(file.map(i, 1).await());
      }
      for (int i = 0; i < 1_000; i++) {
        assertThat(all.get(i).segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(data[i]);
        all.get(i).close();
      }
      for (int i = 0; i < 100_000; i++) {
        file.map(0, 1).drop();
      }
    }
    assertThat(mappings(path)).isZero();
  }
}
