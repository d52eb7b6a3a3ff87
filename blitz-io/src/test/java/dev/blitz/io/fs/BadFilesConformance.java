package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.testkit.Await;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What goes wrong, goes wrong as in the JDK, with path and operation, and leaves nothing open. */
abstract class BadFilesConformance extends FileConformance {
  BadFilesConformance(String backend) {
    super(backend);
  }

  private void opens(Path path, OpenOption... options) throws Exception {
    failsAsTheJdk(
        "open", () -> FileChannel.open(path, options), () -> AsyncFile.open(path, options));
  }

  @Test
  void whatIsMissingOrInTheWay() throws Exception {
    Path file = write("file", "x");
    Path none = dir.resolve("none");
    Path below = file.resolve("below");
    Path full = Files.createDirectory(dir.resolve("full"));
    Files.createFile(full.resolve("in"));
    Path loop = Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    opens(none);
    opens(none, WRITE);
    opens(below);
    opens(dir.resolve("none/none"), CREATE, WRITE);
    opens(file, CREATE_NEW, WRITE);
    opens(dir, WRITE);
    opens(loop);
    opens(link, READ, LinkOption.NOFOLLOW_LINKS);
    opens(dir.resolve("x".repeat(300)));
    opens(file, READ, APPEND);
    opens(file, APPEND, TRUNCATE_EXISTING);
    failsAsTheJdk("delete", () -> delete(none), () -> FileTree.delete(none));
    failsAsTheJdk("delete", () -> delete(full), () -> FileTree.delete(full));
    failsAsTheJdk("delete", () -> delete(below), () -> FileTree.delete(below));
    failsAsTheJdk(
        "stat", () -> Files.readAttributes(none, "basic:size"), () -> FileTree.metadata(none));
    failsAsTheJdk(
        "stat", () -> Files.readAttributes(loop, "basic:size"), () -> FileTree.metadata(loop));
    for (Path taken : List.of(file, full, none.resolve("deep"), below)) {
      failsAsTheJdk(
          "create directory",
          () -> Files.createDirectory(taken),
          () -> FileTree.createDirectory(taken));
      failsAsTheJdk(
          "link", () -> Files.createLink(taken, file), () -> FileTree.createLink(taken, file));
      failsAsTheJdk(
          "symbolic link",
          () -> Files.createSymbolicLink(taken, file),
          () -> FileTree.createSymbolicLink(taken, file));
    }
    failsAsTheJdk(
        "link",
        () -> Files.createLink(dir.resolve("new"), none),
        () -> FileTree.createLink(dir.resolve("new"), none));
    for (Path[] pair :
        new Path[][] {
          {none, file}, {file, full}, {full, file}, {file, none.resolve("deep")}, {dir, full}
        }) {
      failsAsTheJdk(
          "rename",
          () -> Files.move(pair[0], pair[1], StandardCopyOption.ATOMIC_MOVE),
          () -> FileTree.rename(pair[0], pair[1]));
    }
    failsAsTheJdk("copy", () -> Files.copy(none, file), () -> FileTree.copy(none, file));
    failsAsTheJdk("copy", () -> Files.copy(file, full), () -> FileTree.copy(file, full));
    failsAsTheJdk("read link", () -> Files.readSymbolicLink(file), () -> FileTree.readLink(file));
    failsAsTheJdk("real path", () -> none.toRealPath(), () -> FileTree.realPath(none));
    failsAsTheJdk("list", () -> count(file), () -> FileTree.list(file).next());
    failsAsTheJdk("list", () -> count(none), () -> FileTree.list(none).next());
  }

  private static long count(Path directory) throws IOException {
    try (var names = Files.list(directory)) {
      return names.count();
    }
  }

  private static Path delete(Path path) throws IOException {
    Files.delete(path);
    return path;
  }

  /** Tests may run as root, who may do nearly everything; not this. */
  @Test
  void withoutPermission() throws Exception {
    Path sealed = Path.of("/proc/sys/kernel/ostype");
    assumeTrue(Files.exists(sealed), "no " + sealed);
    opens(sealed, WRITE);
    assertThat(failureOf(() -> await(() -> AsyncFile.open(sealed, WRITE))))
        .isInstanceOf(java.nio.file.AccessDeniedException.class)
        .hasMessageContaining("/proc/sys/kernel/ostype: open: Permission denied");
  }

  @Test
  void aDirectory_readAsAFile() throws Exception {
    try (AsyncFile file = await(() -> AsyncFile.open(dir))) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> file.read(ByteBuffer.allocate(10)).await())
            .isInstanceOf(FileSystemException.class)
            .hasMessage(dir + ": read: Is a directory");
        assertThatThrownBy(() -> file.readAt(0, ByteBuffer.allocate(10)).await())
            .isInstanceOf(FileSystemException.class)
            .hasMessage(dir + ": read: Is a directory");
      }
    }
    assertThatThrownBy(() -> await(() -> AsyncFile.readAll(dir)))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(dir + ": read: Is a directory");
    assertThatThrownBy(() -> inside(() -> AsyncFile.lines(dir)).next().await())
        .isInstanceOf(FileSystemException.class)
        .hasMessage(dir + ": read: Is a directory");
  }

  @Test
  void nulInAPath_andNames_thatAreNone() {
    assertThatThrownBy(() -> AsyncFile.open(Path.of("a\0b")))
        .isInstanceOf(InvalidPathException.class);
    assertThatThrownBy(() -> await(() -> FileTree.createTemporaryFile(dir, "a\0", "b")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> await(() -> FileTree.createTemporaryFile(dir, "a/", "b")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> AsyncFile.open(dir).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
  }

  @Test
  void whatIsNotOpenForIt() throws Exception {
    write("x", "123");
    try (AsyncFile in = file("x");
        AsyncFile out = file("x", WRITE)) {
      assertThatThrownBy(() -> in.write(bytes("a")).await())
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> in.writeAllAt(0, bytes("a")).await())
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> in.setLength(0).await())
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> out.read(ByteBuffer.allocate(1)).await())
          .isInstanceOf(NonReadableChannelException.class);
      assertThatThrownBy(() -> out.readAt(0, ByteBuffer.allocate(1)).await())
          .isInstanceOf(NonReadableChannelException.class);
      assertThatThrownBy(() -> in.position(-1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> in.readAt(-1, ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> in.readAt(0, ByteBuffer.allocate(1).asReadOnlyBuffer()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void afterClose_everythingIsClosed() throws Exception {
    write("c", "123");
    AsyncFile file = file("c", READ, WRITE);
    file.close();
    file.close();
    assertThat(file.isOpen()).isFalse();
    for (var operation :
        List.of(
            file.read(ByteBuffer.allocate(1)),
            file.read(ByteBuffer.allocate(0)),
            file.readFully(ByteBuffer.allocate(1)),
            file.write(bytes("x")),
            file.flush(),
            file.readAt(0, ByteBuffer.allocate(1)),
            file.writeAllAt(0, bytes("x")),
            file.size(),
            file.force(true),
            file.setLength(1))) {
      assertThatThrownBy(operation::await).isInstanceOf(ClosedChannelException.class);
    }
    assertThat(Files.readString(dir.resolve("c"))).isEqualTo("123");
  }

  /** A FIFO gives nothing until somebody writes: the read is pending for sure. */
  @Test
  void closedInTheMiddle_theReadEnds() throws Exception {
    Path fifo = fifo();
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      AsyncFile file = await(() -> AsyncFile.open(fifo));
      var bell = new Bell();
      var read = file.read(ByteBuffer.allocate(4));
      assertThat(read.poll(bell.context())).isNull();
      var task =
          runtime.spawn(() -> {
            file.close();
            return 1;
          });
      bell.awaitAfter(0);
      assertThatThrownBy(() -> read.poll(bell.context()))
          .isInstanceOf(AsynchronousCloseException.class);
      task.await();
      assertThat(both.isOpen()).isTrue();
    }
  }

  /** What has no offsets gives its bytes once: a dropped read must not take them along. */
  @Test
  void aFifo_losesNothing_whenReadsAreDropped() throws Exception {
    Path fifo = fifo();
    try (FileChannel writer = FileChannel.open(fifo, READ, WRITE);
        AsyncFile file = await(() -> AsyncFile.open(fifo))) {
      for (int round = 0; round < 3; round++) {
        var bell = new Bell();
        var dropped = file.read(ByteBuffer.allocate(8));
        assertThat(dropped.poll(bell.context())).isNull();
        writer.write(bytes("abcdef"));
        if (round > 0) {
          bell.awaitAfter(0);
        }
        dropped.drop();
        var small = ByteBuffer.allocate(4);
        assertThat(file.read(small).await()).isEqualTo(4);
        assertThat(text(small)).isEqualTo("abcd");
        assertThat(file.read(small.clear()).await()).isEqualTo(2);
        assertThat(text(small)).isEqualTo("ef");
      }
    }
  }

  @Test
  void aFileThatShrinks_endsSooner() throws Exception {
    Path path = Files.write(dir.resolve("shrinks"), noise(600_000, 1));
    try (AsyncFile file = file("shrinks")) {
      var first = ByteBuffer.allocate(400_000);
      file.readFully(first).await();
      try (FileChannel channel = FileChannel.open(path, WRITE)) {
        channel.truncate(1000);
      }
      assertThat(file.read(ByteBuffer.allocate(10)).await()).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> file.readFully(ByteBuffer.allocate(10)).await())
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> file.readFullyAt(999, ByteBuffer.allocate(10)).await())
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("shrinks");
      assertThat(file.size().await()).isEqualTo(1000);
    }
  }

  @Test
  void aFullDevice_isToldByTheWriteThatMeetsIt() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "no /dev/full");
    try (AsyncFile file = await(() -> AsyncFile.open(full, WRITE))) {
      assertThatThrownBy(() -> file.writeAll(bytes("x")).await())
          .isInstanceOf(FileSystemException.class)
          .hasMessage("/dev/full: write: No space left on device");
      assertThatThrownBy(() -> file.writeAllAt(5, bytes("x")).await())
          .hasMessage("/dev/full: write: No space left on device");
      // One who does not wait for it is told by the next call.
      var bell = new Bell();
      var dropped = file.writeAll(bytes("x"));
      Throwable toldAtOnce = failureOf(() -> String.valueOf(dropped.poll(bell.context())));
      if (toldAtOnce == null) {
        dropped.drop();
        assertThatThrownBy(() -> file.flush().await())
            .hasMessage("/dev/full: write: No space left on device");
      } else {
        assertThat(toldAtOnce).hasMessage("/dev/full: write: No space left on device");
      }
      file.flush().await();
    }
  }

  /** A disk of 64 KB, if this process may mount one. */
  @Test
  void aFullDisk_keepsWhatFits_andGoesOnWhenThereIsRoom() throws Exception {
    Path disk = Files.createDirectory(dir.resolve("disk"));
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(mount.waitFor() == 0, "no tmpfs may be mounted here: " + said);
    try {
      Path path = disk.resolve("file");
      try (AsyncFile file = await(() -> AsyncFile.create(path))) {
        assertThatThrownBy(() -> file.writeAll(ByteBuffer.allocate(100_000)).await())
            .isInstanceOf(FileSystemException.class)
            .hasMessage(path + ": write: No space left on device");
        assertThat(file.size().await()).isLessThanOrEqualTo(65_536);
        file.setLength(0).await();
        file.position(0);
        file.writeAll(bytes("fits")).await();
      }
      assertThatThrownBy(() -> await(() -> AsyncFile.replace(path, new byte[100_000])))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("replace: No space left on device");
      assertThat(Files.readString(path)).isEqualTo("fits");
      try (var names = Files.list(disk)) {
        assertThat(names).containsExactly(path);
      }
    } finally {
      awaitUnmounted(disk);
    }
  }

  /** A descriptor may be closed a moment after its file. */
  private static void awaitUnmounted(Path disk) {
    Await.until(
        () -> new ProcessBuilder("umount", disk.toString()).start().waitFor() == 0, "umount");
  }

  @Test
  void manyFailures_leaveNoDescriptor() throws Exception {
    Path none = dir.resolve("none");
    List<IOException> failures = new ArrayList<>();
    runtime.run(() -> {
      for (int i = 0; i < 300; i++) {
        try (AsyncFile file = AsyncFile.open(i % 2 == 0 ? none : dir, Set.of(READ)).await()) {
          file.read(ByteBuffer.allocate(1)).await();
        } catch (IOException e) {
          failures.add(e);
        }
      }
    });
    assertThat(failures).hasSize(300);
  }
}
