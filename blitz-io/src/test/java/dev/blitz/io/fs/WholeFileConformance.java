package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.stream.IoSource;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Files that are read, written and replaced as a whole, and their lines. */
abstract class WholeFileConformance extends FileConformance {
  WholeFileConformance(String backend) {
    super(backend);
  }

  private List<String> lines(IoSource<String> lines) throws Exception {
    List<String> all = new ArrayList<>();
    runtime.run(() -> {
      try (lines) {
        lines.forEach(all::add);
      }
    });
    return all;
  }

  private List<String> linesOf(Path path) throws Exception {
    return lines(inside(() -> AsyncFile.lines(path)));
  }

  /** A small file that the system has in memory needs no thread, once its directory is known. */
  @Test
  void aSmallFile_isReadInsideThePoll() throws Exception {
    assumeTrue(!backend.equals(TestBackends.JDK_FILES), "not without native code");
    String kind = Files.getFileStore(dir).type();
    assumeTrue(Set.of("ext4", "xfs", "btrfs", "f2fs", "tmpfs").contains(kind), kind);
    Path path = write("small", "text");
    Path none = dir.resolve("none");
    Path large = Files.write(dir.resolve("large"), noise(100_000, 1));
    assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
    assertThat(inside(() -> AsyncFile.readText(path)).poll(new Bell().context())).isEqualTo("text");
    Files.writeString(path, "other");
    assertThat(inside(() -> AsyncFile.readText(path)).poll(new Bell().context()))
        .isEqualTo("other");
    Files.writeString(path, "");
    assertThat(await(() -> AsyncFile.readText(path))).isEmpty();
    assertThat(await(() -> AsyncFile.readAll(large))).isEqualTo(noise(100_000, 1));
    assertThatThrownBy(() -> await(() -> AsyncFile.readAll(large, 5)))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("limit of 5 bytes");
    Files.writeString(path, "123456");
    assertThatThrownBy(() -> await(() -> AsyncFile.readAll(path, 5)))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("limit of 5 bytes");
    assertThatThrownBy(() -> await(() -> AsyncFile.readAll(none)))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> await(() -> AsyncFile.readAll(dir)))
        .isInstanceOf(FileSystemException.class);
  }

  @Test
  void wholeFiles_areReadAndWritten() throws Exception {
    for (int size : new int[] {0, 1, 4095, 4096, 4097, 300_000}) {
      Path path = dir.resolve("whole" + size);
      byte[] data = noise(size, size);
      await(() -> AsyncFile.overwrite(path, data));
      assertThat(Files.readAllBytes(path)).isEqualTo(data);
      assertThat(await(() -> AsyncFile.readAll(path))).isEqualTo(data);
      assertThat(await(() -> AsyncFile.readAll(path, size))).isEqualTo(data);
      if (size > 0) {
        assertThatThrownBy(() -> await(() -> AsyncFile.readAll(path, size - 1)))
            .isInstanceOf(FileSystemException.class)
            .hasMessageContaining("whole" + size)
            .hasMessageContaining("limit");
      }
    }
    Path path = write("text", "äöü€");
    assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("äöü€");
    await(() -> AsyncFile.append(path, bytes("+").array()));
    assertThat(Files.readString(path)).isEqualTo("äöü€+");
    await(() -> AsyncFile.overwrite(path, new byte[] {'a', (byte) 0xC3}));
    assertThatThrownBy(() -> await(() -> AsyncFile.readText(path)))
        .isInstanceOf(MalformedInputException.class);
    assertThat(await(() -> AsyncFile.readText(path, StandardCharsets.ISO_8859_1))).isEqualTo("aÃ");
  }

  /** Files that say they are empty, and are not. */
  @Test
  void filesWithoutASize_areReadToTheirEnd() throws Exception {
    assertThat(await(() -> AsyncFile.readText(Path.of("/proc/self/status"))))
        .contains("Name:", "Threads:");
    assertThat(linesOf(Path.of("/proc/self/status"))).hasSizeGreaterThan(20);
  }

  @Test
  void aReplacement_isWholeAndKeepsPermissions_andLeavesNothingBeside() throws Exception {
    Path path = write("config", "old");
    var mode = PosixFilePermissions.fromString("rw-r-----");
    Files.setPosixFilePermissions(path, mode);
    await(() -> AsyncFile.replace(path, bytes("new").array()));
    assertThat(Files.readString(path)).isEqualTo("new");
    assertThat(Files.getPosixFilePermissions(path)).isEqualTo(mode);
    Path link = Files.createSymbolicLink(dir.resolve("link"), path);
    await(() -> AsyncFile.replace(link, bytes("newer").array()));
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(path)).isEqualTo("newer");
    Path fresh = dir.resolve("fresh");
    await(() -> AsyncFile.replace(fresh, new byte[0]));
    assertThat(fresh).isEmptyFile();
    Path directory = Files.createDirectory(dir.resolve("directory"));
    Files.createFile(directory.resolve("in"));
    assertThatThrownBy(() -> await(() -> AsyncFile.replace(directory, new byte[1])))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("replace: ");
    try (var names = Files.list(dir)) {
      assertThat(names.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("config", "link", "fresh", "directory");
    }
  }

  @Test
  void lines_areThoseOfTheJdk() throws Exception {
    var random = new SplittableRandom(5);
    String[] words = {"a", "äöü", "", "Grüße aus €", "x".repeat(3000), "\r", "a\rb", "日本語"};
    var text = new StringBuilder();
    List<String> expected = new ArrayList<>();
    while (text.length() < 900_000) {
      var line = new StringBuilder();
      for (int i = random.nextInt(4); i > 0; i--) {
        line.append(words[random.nextInt(words.length)]);
      }
      boolean dos = random.nextInt(3) == 0;
      if (!dos && !line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
        line.append('.');
      }
      expected.add(line.toString());
      text.append(line).append(dos ? "\r\n" : "\n");
    }
    Path path = write("lines", text.toString());
    assertThat(linesOf(path)).isEqualTo(expected);
    expected.add("the last has no end");
    Files.writeString(path, text + "the last has no end");
    assertThat(linesOf(path)).isEqualTo(expected);
    assertThat(linesOf(write("empty", ""))).isEmpty();
    assertThat(linesOf(write("one", "\n"))).containsExactly("");
    assertThat(linesOf(write("two", "\n\nx"))).containsExactly("", "", "x");
  }

  @Test
  void aLineOverItsLimit_andMalformedBytes_fail() throws Exception {
    Path path = write("long", "12345\n123456\n");
    var limited = inside(() -> AsyncFile.lines(path, StandardCharsets.UTF_8, 5));
    assertThatThrownBy(() -> lines(limited))
        .rootCause()
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("long")
        .hasMessageContaining("limit of 5");
    assertThat(limited.hasEnded()).isTrue();
    Path endless = write("endless", "x".repeat(1_200_000));
    var lines = inside(() -> AsyncFile.lines(endless));
    assertThatThrownBy(() -> lines(lines)).rootCause().hasMessageContaining("1048576");
    Path broken = dir.resolve("broken");
    Files.write(broken, new byte[] {'o', 'k', '\n', (byte) 0xFF, '\n'});
    var malformed = inside(() -> AsyncFile.lines(broken));
    assertThat(malformed.next().await()).contains("ok");
    assertThatThrownBy(() -> malformed.next().await()).isInstanceOf(MalformedInputException.class);
    assertThat(malformed.next().await()).isEmpty();
    Path replaced = write("replaced", "a \uFFFD b");
    assertThat(linesOf(replaced)).containsExactly("a \uFFFD b");
    assertThatThrownBy(() -> AsyncFile.lines(path, StandardCharsets.UTF_16, 5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void missingLines_failInTheLoop() throws Exception {
    var lines = inside(() -> AsyncFile.lines(dir.resolve("none")));
    Throwable failure = failureOf(() -> lines(lines));
    assertThat(failure).isNotNull();
    assertThat(failure instanceof UncheckedIOException ? failure : failure.getCause())
        .hasRootCauseInstanceOf(java.nio.file.NoSuchFileException.class);
  }

  @Test
  void otherFileSystems_work() throws Exception {
    Path zip = dir.resolve("x.zip");
    try (var system = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path inside = system.getPath("/in/side");
      await(() -> FileTree.createDirectories(inside.getParent()));
      await(() -> AsyncFile.overwrite(inside, bytes("zipped\nlines\n").array()));
      assertThat(await(() -> AsyncFile.readText(inside))).isEqualTo("zipped\nlines\n");
      assertThat(linesOf(inside)).containsExactly("zipped", "lines");
      assertThat(await(() -> FileTree.metadata(inside)).size()).isEqualTo(13);
      Path copy = dir.resolve("unzipped");
      await(() -> FileTree.copy(inside, copy));
      assertThat(Files.readString(copy)).isEqualTo("zipped\nlines\n");
      failsAsTheJdk(
          "open",
          () -> java.nio.channels.FileChannel.open(system.getPath("/none")),
          () -> AsyncFile.open(system.getPath("/none")));
    }
  }
}
