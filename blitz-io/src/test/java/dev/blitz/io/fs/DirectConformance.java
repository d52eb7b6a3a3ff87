package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.Bytes;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Files past the page cache, with places and lengths that no disk would take. */
abstract class DirectConformance extends FileConformance {
  private static final int LENGTH = 1_000_003;

  DirectConformance(String backend) {
    super(backend);
  }

  @Test
  void anyPlaceAndLength_isRead() throws Exception {
    byte[] data = noise(LENGTH, 1);
    Files.write(dir.resolve("f"), data);
    var random = new SplittableRandom(2);
    try (AsyncFile file = direct("f", READ)) {
      for (int i = 0; i < 200; i++) {
        int at = random.nextInt(LENGTH);
        int length = Math.min(LENGTH - at, random.nextInt(i % 4 == 0 ? 300_000 : 9_000));
        var target = i % 2 == 0 ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
        file.readFullyAt(at, target).await();
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data, at, length).slice());
      }
      assertThat(file.readAt(LENGTH, ByteBuffer.allocate(4)).await()).isEqualTo(-1);
      assertThat(file.readAt(LENGTH + 9_000, ByteBuffer.allocate(4)).await()).isEqualTo(-1);
      assertThat(file.readAt(LENGTH - 2, ByteBuffer.allocate(4)).await()).isEqualTo(2);
      assertThatThrownBy(() -> file.readFullyAt(LENGTH - 2, ByteBuffer.allocate(4)).await())
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aWholeFile_isReadInOrder() throws Exception {
    byte[] data = noise(LENGTH, 3);
    Files.write(dir.resolve("f"), data);
    try (AsyncFile file = direct("f");
        AsyncFile copy = await(() -> AsyncFile.create(dir.resolve("copy")))) {
      file.position(5);
      assertThat(Bytes.copy(file, copy).await()).isEqualTo(LENGTH - 5);
    }
    assertThat(Files.readAllBytes(dir.resolve("copy")))
        .isEqualTo(Arrays.copyOfRange(data, 5, LENGTH));
  }

  @Test
  void anyPlaceAndLength_isWritten_andRead() throws Exception {
    byte[] expected = new byte[300_000];
    var random = new SplittableRandom(4);
    try (AsyncFile file = direct("f", CREATE, READ, WRITE)) {
      file.setLength(expected.length).await();
      for (int i = 0; i < 100; i++) {
        boolean whole = i % 3 == 0;
        int length = whole ? 4096 * (1 + random.nextInt(4)) : 1 + random.nextInt(9_000);
        int at = random.nextInt(expected.length - length);
        at = whole ? at & -4096 : at;
        byte[] some = noise(length, i);
        file.writeAllAt(at, ByteBuffer.wrap(some)).await();
        System.arraycopy(some, 0, expected, at, length);
        var target = ByteBuffer.allocate(length);
        file.readFullyAt(at, target).await();
        assertThat(target.array()).isEqualTo(some);
      }
      file.force(false).await();
    }
    assertThat(Files.readAllBytes(dir.resolve("f"))).isEqualTo(expected);
  }

  @Test
  void whatIsAppended_isAtTheEnd() throws Exception {
    Path path = write("f", "abc");
    try (AsyncFile file = direct("f", APPEND)) {
      file.writeAll(bytes("def")).await();
      file.writeAll(ByteBuffer.allocate(4096)).await();
    }
    assertThat(Files.size(path)).isEqualTo(4102);
    assertThat(Files.readAllBytes(path)).startsWith('a', 'b', 'c', 'd', 'e', 'f');
  }

  @Test
  void withoutNativeCode_itIsRefused() throws Exception {
    assumeTrue(backend.equals(TestBackends.JDK_FILES), "here it is native");
    write("f", "abc");
    assertThatThrownBy(() -> file("f", FileOption.DIRECT))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
