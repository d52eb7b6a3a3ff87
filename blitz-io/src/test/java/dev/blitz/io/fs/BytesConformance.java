package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.future.Done;
import dev.blitz.io.task.JoinHandle;
import java.io.EOFException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reading and writing what is open. */
abstract class BytesConformance extends FileConformance {
  BytesConformance(String backend) {
    super(backend);
  }

  @Test
  void aRead_movesOn_toTheEnd() throws Exception {
    write("a", "hello");
    try (AsyncFile file = file("a")) {
      var buffer = ByteBuffer.allocate(3);
      assertThat(file.read(buffer).await()).isEqualTo(3);
      assertThat(text(buffer)).isEqualTo("hel");
      assertThat(file.position()).isEqualTo(3);
      assertThat(file.read(buffer.clear()).await()).isEqualTo(2);
      assertThat(text(buffer)).isEqualTo("lo");
      assertThat(file.read(buffer.clear()).await()).isEqualTo(ByteReader.EOF);
      assertThat(file.read(buffer.clear()).await()).isEqualTo(ByteReader.EOF);
      assertThat(file.read(ByteBuffer.allocate(0)).await()).isZero();
      file.position(1);
      assertThat(file.read(buffer.clear()).await()).isEqualTo(3);
      assertThat(text(buffer)).isEqualTo("ell");
      file.position(99);
      assertThat(file.read(buffer.clear()).await()).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void whatIsWritten_isRead() throws Exception {
    byte[] data = noise(1_000_000, 7);
    Path path = dir.resolve("big");
    try (AsyncFile file = file("big", CREATE_NEW, READ, WRITE)) {
      file.writeAll(ByteBuffer.wrap(data)).await();
      assertThat(file.position()).isEqualTo(data.length);
      assertThat(Files.readAllBytes(path)).isEqualTo(data);
      file.position(0);
      var target = ByteBuffer.allocateDirect(data.length);
      file.readFully(target).await();
      assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(data));
      assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(1)).await())
          .isInstanceOf(EOFException.class);
      assertThat(file.size().await()).isEqualTo(data.length);
    }
  }

  @Test
  void segmentsAndVectors_areReadAndWritten() throws Exception {
    try (AsyncFile file = file("v", CREATE, READ, WRITE);
        var arena = Arena.ofShared()) {
      file.writeAllVectored(bytes("abc"), ByteBuffer.allocate(0), bytes("defg")).await();
      var segment = arena.allocate(300_000);
      segment.fill((byte) 'x');
      file.writeAll(segment).await();
      assertThat(file.writeVectored(bytes("yz"), bytes("!")).await()).isEqualTo(3);
      file.position(0);
      var targets = new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(6)};
      assertThat(file.readVectored(targets).await()).isEqualTo(7);
      assertThat(text(targets[0]) + text(targets[1])).isEqualTo("abcdefg");
      file.position(300_007);
      var rest = ByteBuffer.allocate(9);
      assertThat(file.read(rest).await()).isEqualTo(3);
      assertThat(text(rest)).isEqualTo("yz!");
    }
  }

  @Test
  void places_areReadAndWritten_byManyAtOnce() throws Exception {
    int pieces = 64;
    int length = 5_000;
    try (AsyncFile file = file("p", CREATE, READ, WRITE)) {
      List<JoinHandle<Done>> writes = new ArrayList<>();
      for (int i = 0; i < pieces; i++) {
        byte[] piece = new byte[length];
        Arrays.fill(piece, (byte) i);
        writes.add(
            runtime.spawn(
                file.writeAllAt(
                    (long) i * length,
                    ByteBuffer.wrap(piece, 0, 100),
                    ByteBuffer.wrap(piece, 100, length - 100))));
      }
      for (var write : writes) {
        write.await();
      }
      assertThat(file.position()).isZero();
      List<ByteBuffer> targets = new ArrayList<>();
      List<JoinHandle<Done>> reads = new ArrayList<>();
      for (int i = 0; i < pieces; i++) {
        var target = ByteBuffer.allocate(length);
        targets.add(target);
        reads.add(runtime.spawn(file.readFullyAt((long) i * length, target)));
      }
      for (int i = 0; i < pieces; i++) {
        reads.get(i).await();
        byte expected = (byte) i;
        for (byte b : targets.get(i).array()) {
          assertThat(b).isEqualTo(expected);
        }
      }
      var end = ByteBuffer.allocate(8);
      assertThat(file.readAt((long) pieces * length - 3, end).await()).isEqualTo(3);
      assertThat(file.readAt((long) pieces * length, end).await()).isEqualTo(ByteReader.EOF);
      assertThat(file.readAt(0).await()).isZero();
      assertThatThrownBy(() -> file.readFullyAt((long) pieces * length - 3, end).await())
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void appended_goesToTheEnd_whereverThePositionIs() throws Exception {
    Path path = write("log", "one\n");
    try (AsyncFile file = file("log", APPEND)) {
      file.writeAll(bytes("two\n")).await();
      Files.write(path, bytes("three\n").array(), APPEND);
      file.position(0);
      file.writeAll(bytes("four\n")).await();
      file.writeAllAt(1, bytes("five\n")).await();
    }
    assertThat(Files.readString(path)).isEqualTo("one\ntwo\nthree\nfour\nfive\n");
  }

  @Test
  void options_areThoseOfTheJdk() throws Exception {
    Path path = write("o", "12345");
    try (AsyncFile file = file("o", WRITE)) {
      file.writeAll(bytes("ab")).await();
    }
    assertThat(Files.readString(path)).isEqualTo("ab345");
    try (AsyncFile file = file("o", WRITE, TRUNCATE_EXISTING, SYNC)) {
      file.writeAll(bytes("c")).await();
    }
    assertThat(Files.readString(path)).isEqualTo("c");
    try (AsyncFile file = await(() -> AsyncFile.create(path))) {
      assertThat(file.size().await()).isZero();
    }
    Path secret = dir.resolve("secret");
    var mode = PosixFilePermissions.fromString("rw-------");
    await(() ->
            AsyncFile.open(
                secret, Set.of(CREATE_NEW, WRITE), PosixFilePermissions.asFileAttribute(mode)))
        .close();
    assertThat(Files.getPosixFilePermissions(secret)).isEqualTo(mode);
  }

  @Test
  void length_isSet_bothWays() throws Exception {
    Path path = write("l", "123456");
    try (AsyncFile file = file("l", READ, WRITE)) {
      file.setLength(3).await();
      assertThat(Files.readString(path)).isEqualTo("123");
      file.setLength(5).await();
      assertThat(Files.readString(path)).isEqualTo("123\0\0");
      file.setLength(5).await();
      file.setLength(0).await();
      assertThat(file.size().await()).isZero();
      file.force(true).await();
      file.force(false).await();
    }
    try (AsyncFile file = file("l", APPEND)) {
      file.setLength(100_000).await();
      file.writeAll(bytes("!")).await();
      assertThat(file.size().await()).isEqualTo(100_001);
    }
  }

  @Test
  void aWrite_hasEnded_whenItsBytesAreThere() throws Exception {
    Path path = dir.resolve("w");
    try (AsyncFile file = file("w", CREATE, WRITE)) {
      for (int i = 0; i < 50; i++) {
        assertThat(file.write(bytes("x")).await()).isEqualTo(1);
        assertThat(Files.size(path)).isEqualTo(i + 1);
      }
      assertThat(file.write(ByteBuffer.allocate(0)).await()).isZero();
      file.shutdown().await();
      file.shutdown().await();
      assertThatThrownBy(() -> file.write(bytes("y")).await())
          .isInstanceOf(java.nio.channels.ClosedChannelException.class);
    }
  }

  /** The stackless style, and the poll tier, which writes behind. */
  @Test
  void thePollTier_takesBytes_andFlushTellsThatTheyAreThere() throws Exception {
    Path path = dir.resolve("tier");
    try (AsyncFile file = file("tier", CREATE, WRITE)) {
      var bell = new Bell();
      for (int i = 0; i < 20; i++) {
        var source = bytes("part " + i + "\n");
        int length = source.remaining();
        int n;
        while ((n = file.pollWrite(bell.context(), source)) == AsyncFile.PENDING) {
          int before = bell.rings();
          if (file.pollFlush(bell.context())) {
            continue;
          }
          bell.awaitAfter(before);
        }
        assertThat(n).isEqualTo(length);
        assertThat(source.hasRemaining()).isFalse();
      }
      file.flush().await();
      assertThat(Files.readAllLines(path)).hasSize(20).endsWith("part 19");
    }
  }

  @Test
  void twoReadsAtATime_areRefused_exceptAtPlaces() throws Exception {
    write("two", "123456");
    try (AsyncFile file = file("two")) {
      var bell = new Bell();
      var first = file.read(ByteBuffer.allocate(1));
      if (first.poll(bell.context()) != null) {
        return; // it was there at once
      }
      var second = file.read(ByteBuffer.allocate(1));
      assertThatThrownBy(() -> second.poll(bell.context()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another read");
      first.drop();
    }
  }

  @Test
  void tasksInBothStyles_copy() throws Exception {
    byte[] data = noise(700_000, 3);
    Path from = Files.write(dir.resolve("from"), data);
    Path to = dir.resolve("to");
    runtime.run(() -> {
      try (var in = AsyncFile.open(from).await();
          var out = AsyncFile.create(to).await()) {
        var buffer = ByteBuffer.allocate(64 << 10);
        while (in.read(buffer.clear()).await() >= 0) {
          out.writeAll(buffer.flip()).await();
        }
      }
    });
    assertThat(Files.readAllBytes(to)).isEqualTo(data);
  }
}
