package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Strict
@OnceIsEnough
class QuickReadsTest {
  private static final int LIMIT = 100;

  @TempDir Path dir;
  private final QuickReads quick = new QuickReads(System.getProperty("os.arch"));

  @BeforeEach
  void needsAFileSystemThatAsksNoServer() throws Exception {
    assumeTrue(TestBackends.probe("epoll").available());
    String kind = Files.getFileStore(dir).type();
    assumeTrue(Set.of("ext4", "xfs", "btrfs", "f2fs", "tmpfs").contains(kind), kind);
  }

  @Test
  void aFile_isRead_onceItsDirectoryIsKnown() throws Exception {
    Path path = Files.writeString(dir.resolve("f"), "text");
    assertThat(quick.read(path, LIMIT)).isEqualTo(QuickReads.Found.NOTHING);
    quick.learn(path);
    assertThat(quick.read(path, LIMIT).bytes()).isEqualTo("text".getBytes(StandardCharsets.UTF_8));
    assertThat(quick.read(path, 3)).as("too long").isEqualTo(QuickReads.Found.NOTHING);
  }

  /** It may lead to a file system that asks a server for each open. */
  @Test
  void aLink_isNotFollowed() throws Exception {
    Path path = Files.writeString(dir.resolve("f"), "text");
    Path link = Files.createSymbolicLink(dir.resolve("link"), path);
    quick.learn(link);
    assertThat(Files.readString(link)).as("the system knows it").isEqualTo("text");
    assertThat(quick.read(path, LIMIT).bytes()).isNotNull();
    assertThat(quick.read(link, LIMIT)).isEqualTo(QuickReads.Found.NOTHING);
  }

  /** Of a link to a directory the file system behind it is asked. */
  @Test
  void aLinkedDirectory_isKnownByWhatItLeadsTo() throws Exception {
    Path inside = Files.createDirectory(dir.resolve("inside"));
    Files.writeString(inside.resolve("f"), "text");
    Path link = Files.createSymbolicLink(dir.resolve("linked"), inside);
    Path elsewhere = Files.createSymbolicLink(dir.resolve("elsewhere"), Path.of("/proc/self"));
    quick.learn(link.resolve("f"));
    assertThat(quick.read(link.resolve("f"), LIMIT).bytes()).isNotNull();
    quick.learn(elsewhere.resolve("status"));
    assertThat(quick.read(elsewhere.resolve("status"), LIMIT)).isEqualTo(QuickReads.Found.NOTHING);
  }

  @Test
  void status_isThatOfTheSystem_onceTheDirectoryIsKnown() throws Exception {
    Path path = Files.writeString(dir.resolve("f"), "text");
    Path inside = Files.createDirectory(dir.resolve("inside"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), path);
    assertThat(quick.isUnknown(path)).isTrue();
    assertThat(quick.status(path, true)).isNull();
    quick.learn(path);
    assertThat(quick.isUnknown(path)).isFalse();
    for (boolean follow : new boolean[] {true, false}) {
      assertThat(quick.status(path, follow)).isEqualTo(Statuses.read(path, follow));
      assertThat(quick.status(inside, follow)).isEqualTo(Statuses.read(inside, follow));
    }
    assertThat(quick.status(link, false)).isEqualTo(Statuses.read(link, false));
    assertThat(quick.status(link, true)).as("may lead elsewhere").isNull();
    assertThat(quick.status(dir.resolve("none"), true)).isNull();
    quick.learn(dir.resolve(".."));
    assertThat(quick.status(dir.resolve(".."), true)).as("may be elsewhere").isNull();
    Files.writeString(path, "more text");
    assertThat(quick.status(path, true)).isEqualTo(Statuses.read(path, true));
  }

  @Test
  void whatIsMounted_isNotLookedAt() throws Exception {
    Path mounted = Path.of("/proc");
    quick.learn(mounted);
    assertThat(quick.isUnknown(mounted)).isFalse();
    assertThat(quick.status(mounted, true)).isNull();
    Path asked = mounted.resolve("uptime");
    quick.learn(asked);
    assertThat(quick.isUnknown(asked)).as("known to be no disk").isFalse();
    assertThat(quick.status(asked, true)).isNull();
  }

  @Test
  void anOpen_isMade_onceTheDirectoryIsKnown() throws Exception {
    Path path = Files.writeString(dir.resolve("f"), "text");
    Path link = Files.createSymbolicLink(dir.resolve("link"), path);
    PathBytes name = Objects.requireNonNull(PathBytes.of(path));
    int flags = FileAbi.O_RDONLY | FileAbi.O_CLOEXEC;
    assertThat(quick.open(path, name, flags)).isNegative();
    quick.learn(path);
    int fd = quick.open(path, name, flags);
    assertThat(FileCalls.size(fd)).isEqualTo(4);
    PosixCalls.close(fd);
    assertThat(quick.open(link, Objects.requireNonNull(PathBytes.of(link)), flags)).isNegative();
  }
}
