package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Timeouts;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All threads of the lane are taken. */
class LaneThreadsTest extends FileConformance {
  /** More than there are threads. */
  private static final int MANY = 70;

  LaneThreadsTest() {
    super("epoll");
  }

  /** All threads for files wait for a FIFO; closing must not need one of them. */
  @Test
  void closedFifos_giveTheirThreadsBack() throws Exception {
    Path fifo = fifo();
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      List<AsyncFile> files = allThreadsRead(fifo);
      files.forEach(AsyncFile::close);
      assertThat(await(() -> FileTree.exists(dir))).isTrue();
      assertThat(both.isOpen()).isTrue();
    }
  }

  /** Bytes that were taken are written, also if the runtime is closed before their turn. */
  @Test
  void takenBytes_areWritten_whenTheRuntimeIsClosed() throws Exception {
    Path fifo = fifo();
    AsyncFile file = file("taken", CREATE, WRITE);
    List<IoFuture<AsyncFile>> opens = new ArrayList<>();
    for (int i = 0; i < MANY; i++) { // each thread for files waits for somebody who writes
      opens.add(inside(() -> AsyncFile.open(fifo)));
      assertThat(opens.getLast().poll(new Bell().context())).isNull();
    }
    var write = file.writeAll(bytes("taken"));
    assertThat(write.poll(new Bell().context())).isNull();
    write.drop();
    file.close();
    Thread closer = Thread.ofPlatform().start(() -> runtime.close(Timeouts.MEDIUM));
    var bell = new Bell();
    assertThatThrownBy(
            () -> {
              for (int rings = 0; opens.getLast().poll(bell.context()) == null; rings++) {
                bell.awaitAfter(rings);
              }
            })
        .as("what has no thread yet is cancelled once the lane is closed")
        .isInstanceOf(CancelledException.class);
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      closer.join();
      assertThat(both.isOpen()).isTrue();
    }
    opens.forEach(IoFuture::drop);
    assertThat(dir.resolve("taken")).hasContent("taken");
  }

  /** Reads that wait, one on each thread for files and more. */
  private List<AsyncFile> allThreadsRead(Path fifo) throws Exception {
    List<AsyncFile> files = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      files.add(await(() -> AsyncFile.open(fifo)));
    }
    for (AsyncFile file : files) {
      assertThat(file.read(ByteBuffer.allocate(4)).poll(new Bell().context())).isNull();
    }
    return files;
  }
}
