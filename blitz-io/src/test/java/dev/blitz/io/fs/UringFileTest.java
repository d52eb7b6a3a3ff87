package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Files by the kernel. */
class UringFileTest {
  private static final String BACKEND = "io_uring";

  @Nested
  class Bytes extends BytesConformance {
    Bytes() {
      super(BACKEND);
    }
  }

  @Nested
  class Names extends NamesConformance {
    Names() {
      super(BACKEND);
    }
  }

  @Nested
  class Whole extends WholeFileConformance {
    Whole() {
      super(BACKEND);
    }
  }

  @Nested
  class Commands extends CommandConformance {
    Commands() {
      super(BACKEND);
    }
  }

  @Nested
  class Bad extends BadFilesConformance {
    Bad() {
      super(BACKEND);
    }
  }

  @Nested
  class Drops extends FileDropConformance {
    Drops() {
      super(BACKEND);
    }
  }

  /** That the suite has not run on the lane unnoticed. */
  @Nested
  class Native extends FileConformance {
    Native() {
      super(BACKEND);
    }

    private boolean hasLaneThread() {
      return Thread.getAllStackTraces().keySet().stream()
          .anyMatch(t -> t.getName().matches("blitz-.*-files-\\d+"));
    }

    @Test
    void whatTheKernelDoes_needsNoThreadOfTheLane() throws Exception {
      Path path = dir.resolve("x");
      try (AsyncFile file = await(() -> AsyncFile.open(path, CREATE, READ, WRITE))) {
        file.writeAll(bytes("text")).await();
        file.force(true).await();
        file.setLength(2).await();
        file.position(0);
        var target = ByteBuffer.allocate(4);
        assertThat(file.read(target).await()).isEqualTo(2);
        assertThat(file.size().await()).isEqualTo(2);
      }
      Path other = dir.resolve("y");
      await(() -> FileTree.createDirectory(dir.resolve("d")));
      await(() -> FileTree.rename(path, other));
      await(() -> FileTree.createLink(path, other));
      await(() -> FileTree.createSymbolicLink(dir.resolve("s"), other));
      assertThat(await(() -> FileTree.metadata(path)).links()).isEqualTo(2);
      await(() -> FileTree.delete(path));
      await(() -> FileTree.delete(dir.resolve("d")));
      assertThat(hasLaneThread()).isFalse();
      await(() -> FileTree.copy(other, path));
      assertThat(hasLaneThread()).isTrue();
    }
  }
}
