package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.stream.IoSource;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Directories, links, renames, metadata. */
abstract class NamesConformance extends FileConformance {
  NamesConformance(String backend) {
    super(backend);
  }

  private <T> List<T> all(IoSource<T> items) throws Exception {
    List<T> all = new ArrayList<>();
    runtime.run(() -> {
      try (items) {
        items.forEach(all::add);
      }
    });
    return all;
  }

  @Test
  void metadata_isThatOfTheJdk() throws Exception {
    Path path = write("m", "12345");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-x-w-"));
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_234_567_891L));
    Files.createLink(dir.resolve("n"), path);
    Path link = Files.createSymbolicLink(dir.resolve("s"), path);
    for (Path p : List.of(path, link, dir, Path.of("/dev/null"))) {
      for (LinkOption[] options : new LinkOption[][] {{}, {LinkOption.NOFOLLOW_LINKS}}) {
        FileMetadata ours = await(() -> FileTree.metadata(p, options));
        var jdk = Files.readAttributes(p, PosixFileAttributes.class, options);
        assertThat(ours.size()).isEqualTo(jdk.size());
        assertThat(ours.isRegularFile()).isEqualTo(jdk.isRegularFile());
        assertThat(ours.isDirectory()).isEqualTo(jdk.isDirectory());
        assertThat(ours.isSymbolicLink()).isEqualTo(jdk.isSymbolicLink());
        assertThat(ours.isOther()).isEqualTo(jdk.isOther());
        assertThat(ours.lastModifiedTime()).isEqualTo(jdk.lastModifiedTime());
        assertThat(ours.creationTime()).isEqualTo(jdk.creationTime());
        assertThat(ours.permissions()).isEqualTo(jdk.permissions());
        assertThat(ours.ownerId()).isEqualTo(Files.getAttribute(p, "unix:uid", options));
        assertThat(ours.groupId()).isEqualTo(Files.getAttribute(p, "unix:gid", options));
        assertThat(ours.links()).isEqualTo(Files.getAttribute(p, "unix:nlink", options));
      }
    }
    FileMetadata one = await(() -> FileTree.metadata(path));
    FileMetadata other = await(() -> FileTree.metadata(dir.resolve("n")));
    assertThat(one.fileKey()).isEqualTo(other.fileKey());
    assertThat(one.links()).isEqualTo(2);
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
  }

  /** The first may be found out by a thread, the next ones inside the poll. */
  @Test
  void metadata_askedForAgain_isTheSame_andUpToDate() throws Exception {
    Path path = write("m", "12345");
    Path link = Files.createSymbolicLink(dir.resolve("s"), path);
    Path dangling = Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("nothing"));
    for (int i = 0; i < 3; i++) {
      FileMetadata seen = await(() -> FileTree.metadata(path));
      assertThat(seen.size()).isEqualTo(5 + i);
      assertThat(await(() -> FileTree.metadata(path))).isEqualTo(seen);
      assertThat(await(() -> FileTree.metadata(path)).fileKey()).isEqualTo(seen.fileKey());
      assertThat(await(() -> FileTree.metadata(link))).isEqualTo(seen);
      assertThat(await(() -> FileTree.metadata(link, LinkOption.NOFOLLOW_LINKS)).isSymbolicLink())
          .isTrue();
      assertThat(failureOf(() -> await(() -> FileTree.metadata(dangling))))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(failureOf(() -> await(() -> FileTree.metadata(path.resolve("below")))))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("stat: No such file");
      Files.writeString(path, "+", StandardOpenOption.APPEND);
    }
    Files.delete(path);
    assertThat(await(() -> FileTree.exists(path))).isFalse();
  }

  @Test
  void whatIsThere_isTold() throws Exception {
    Path path = write("there", "");
    Files.createDirectory(dir.resolve("sub"));
    Path dangling = Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("nothing"));
    assertThat(await(() -> FileTree.exists(path))).isTrue();
    assertThat(await(() -> FileTree.exists(dangling))).isFalse();
    assertThat(await(() -> FileTree.exists(dangling, LinkOption.NOFOLLOW_LINKS))).isTrue();
    assertThat(await(() -> FileTree.exists(dir.resolve("no/such")))).isFalse();
    assertThat(await(() -> FileTree.readLink(dangling))).isEqualTo(dir.resolve("nothing"));
    assertThat(await(() -> FileTree.realPath(dir.resolve("sub/../there"))))
        .isEqualTo(path.toRealPath());
    assertThat(await(() -> FileTree.isSame(path, dir.resolve("./there")))).isTrue();
  }

  @Test
  void trees_areMadeListedAndDeleted() throws Exception {
    Path root = dir.resolve("root");
    await(() -> FileTree.createDirectories(root.resolve("a/b/c")));
    await(() -> FileTree.createDirectories(root.resolve("a/b/c")));
    await(() -> FileTree.createDirectory(root.resolve("z")));
    for (int i = 0; i < 600; i++) {
      Files.createFile(root.resolve("a/b").resolve("file" + i));
    }
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.createFile(outside.resolve("kept"));
    await(() -> FileTree.createSymbolicLink(root.resolve("a/link"), outside));
    List<Path> expected = new ArrayList<>();
    try (var walk = Files.walk(root)) {
      walk.forEach(expected::add);
    }
    assertThat(all(inside(() -> FileTree.walk(root)))).isEqualTo(expected);
    assertThat(all(inside(() -> FileTree.walk(root, 2, FileVisitOption.FOLLOW_LINKS))))
        .contains(root.resolve("a/link"))
        .doesNotContain(root.resolve("a/b/c"));
    assertThat(all(inside(() -> FileTree.list(root.resolve("a/b"))))).hasSize(601);
    assertThat(all(inside(() -> FileTree.list(root))))
        .containsExactlyInAnyOrder(root.resolve("a"), root.resolve("z"));
    await(() -> FileTree.deleteAll(root));
    assertThat(root).doesNotExist();
    assertThat(outside.resolve("kept")).exists();
    await(() -> FileTree.deleteAll(root));
  }

  @Test
  void aListing_thatIsLeft_leavesNothingOpen() throws Exception {
    for (int i = 0; i < 300; i++) {
      write("f" + i, "");
    }
    runtime.run(() -> {
      try (var names = FileTree.list(dir)) {
        for (Path name : names) {
          assertThat(name).hasParent(dir);
          break;
        }
      }
      try (var names = FileTree.walk(dir)) {
        assertThat(names.next().await()).contains(dir);
      }
      FileTree.list(dir).close();
    });
  }

  @Test
  void files_areRenamedMovedCopiedAndLinked() throws Exception {
    Path a = write("a", "one");
    Path b = write("b", "two");
    await(() -> FileTree.rename(a, b));
    assertThat(a).doesNotExist();
    assertThat(Files.readString(b)).isEqualTo("one");
    await(() -> FileTree.copy(b, a));
    await(() -> FileTree.copy(b, a, StandardCopyOption.REPLACE_EXISTING));
    assertThat(Files.readString(a)).isEqualTo("one");
    await(() -> FileTree.move(a, dir.resolve("c")));
    assertThat(dir.resolve("c")).exists();
    await(() -> FileTree.createLink(dir.resolve("d"), b));
    assertThat(Files.getAttribute(b, "unix:nlink")).isEqualTo(2);
    await(() -> FileTree.delete(dir.resolve("d")));
    assertThat(await(() -> FileTree.deleteIfExists(dir.resolve("d")))).isFalse();
    assertThat(await(() -> FileTree.deleteIfExists(b))).isTrue();
    Path sub = Files.createDirectory(dir.resolve("sub"));
    await(() -> FileTree.delete(sub));
    assertThat(sub).doesNotExist();
  }

  @Test
  void permissionsAndTimes_areSet() throws Exception {
    Path path = write("p", "");
    var mode = PosixFilePermissions.fromString("r--r-----");
    await(() -> FileTree.setPermissions(path, mode));
    assertThat(Files.getPosixFilePermissions(path)).isEqualTo(mode);
    var time = FileTime.fromMillis(86_400_123L);
    await(() -> FileTree.setTimes(path, time, null));
    assertThat(Files.getLastModifiedTime(path)).isEqualTo(time);
    await(() ->
        FileTree.createDirectory(
            dir.resolve("private"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    assertThat(Files.getPosixFilePermissions(dir.resolve("private")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void temporaryOnes_haveNamesOfTheirOwn() throws Exception {
    Path one = await(() -> FileTree.createTemporaryFile(dir, "t", ".tmp"));
    Path two = await(() -> FileTree.createTemporaryFile(dir, "t", ".tmp"));
    Path three = await(() -> FileTree.createTemporaryDirectory(dir, "t"));
    assertThat(one).isRegularFile().isNotEqualTo(two).hasParent(dir);
    assertThat(three).isDirectory();
  }
}
