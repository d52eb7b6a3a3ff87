package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.testkit.Await;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
  class Fifos extends FifoConformance {
    Fifos() {
      super(BACKEND);
    }

    private boolean anybodyOpens() {
      return Thread.getAllStackTraces().values().stream()
          .anyMatch(frames -> Arrays.toString(frames).contains("UnixNativeDispatcher.open"));
    }

    /** Else it would stay, and its runtime too, until somebody opens the other end. */
    @Test
    void aDroppedOpen_letsItsThreadGo() throws Exception {
      Path fifo = fifo();
      var bell = new Bell();
      var opening = inside(() -> AsyncFile.open(fifo));
      Await.until(
          () -> {
            assertThat(opening.poll(bell.context())).isNull();
            return anybodyOpens();
          },
          "a thread waits inside the open");
      opening.drop();
      Await.until(() -> !anybodyOpens(), "the thread has left the open");
    }

    /** The writer may have found the first reader, and be gone before the thread gets there. */
    @Test
    void aWriter_thatComesAtAnyTime_isMet() throws Exception {
      for (int i = 0; i < 200; i++) {
        Path fifo = fifo();
        var bell = new Bell();
        var opening = inside(() -> AsyncFile.open(fifo));
        assertThat(opening.poll(bell.context())).isNull();
        var wrote = other(fifo, WRITE, channel -> channel.write(bytes("abc")));
        try (AsyncFile file = await(opening, bell)) {
          var target = ByteBuffer.allocate(8);
          assertThat(file.read(target).await()).isEqualTo(3);
          assertThat(file.read(target.clear()).await()).isEqualTo(ByteReader.EOF);
        }
        assertThat(wrote.get()).isEqualTo(3);
        Files.delete(fifo);
      }
      Await.until(() -> !anybodyOpens(), "the threads have left their opens");
    }
  }

  @Nested
  class Transfers extends SendFileConformance {
    Transfers() {
      super(BACKEND);
    }
  }

  @Nested
  class Direct extends DirectConformance {
    Direct() {
      super(BACKEND);
    }
  }

  @Nested
  class Ranges extends RangeConformance {
    Ranges() {
      super(BACKEND);
    }
  }

  @Nested
  class Watches extends WatchConformance {
    Watches() {
      super(BACKEND);
    }
  }

  @Nested
  class Locks extends LockConformance {
    Locks() {
      super(BACKEND);
    }
  }

  @Nested
  class Maps extends MapConformance {
    Maps() {
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
      await(() -> FileTree.delete(path));
      await(() -> FileTree.delete(dir.resolve("d")));
      assertThat(hasLaneThread()).isFalse();
      assertThat(await(() -> FileTree.metadata(other)).links()).isEqualTo(1);
      assertThat(hasLaneThread()).as("a directory that nobody has looked at").isTrue();
    }
  }
}
