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
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** All threads of the lane are taken. */
class LaneThreadsTest extends FileConformance {
  /** More than there are threads. */
  private static final int MANY = 70;

  private final CountDownLatch free = new CountDownLatch(1);

  LaneThreadsTest() {
    super("epoll");
  }

  /** Calls that wait, one on each thread for files and more. */
  private List<IoFuture<Integer>> allThreadsWait() throws Exception {
    List<IoFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      IoFuture<Integer> call =
          inside(() ->
              FileHost.on(files ->
                  files.call(
                      "wait",
                      dir,
                      () -> {
                        for (; ; ) {
                          try {
                            free.await();
                            return 1;
                          } catch (InterruptedException e) {
                            // As a call of the system, which nothing ends.
                          }
                        }
                      })));
      assertThat(call.poll(new Bell().context())).isNull();
      calls.add(call);
    }
    return calls;
  }

  /** Closing a FIFO must not need a thread for files: its calls end by it. */
  @Test
  void closedFifo_endsItsRead() throws Exception {
    Path fifo = fifo();
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      AsyncFile file = await(() -> AsyncFile.open(fifo));
      var bell = new Bell();
      var read = file.read(ByteBuffer.allocate(4));
      assertThat(read.poll(bell.context())).isNull();
      List<IoFuture<Integer>> calls = allThreadsWait();
      file.close();
      bell.awaitAfter(0);
      assertThatThrownBy(() -> read.poll(bell.context()))
          .isInstanceOf(AsynchronousCloseException.class);
      assertThat(both.isOpen()).isTrue();
      free.countDown();
      for (var call : calls) {
        assertThat(call.await()).isEqualTo(1);
      }
    }
  }

  /** Bytes that were taken are written, also if the runtime is closed before their turn. */
  @Test
  void takenBytes_areWritten_whenTheRuntimeIsClosed() throws Exception {
    AsyncFile file = file("taken", CREATE, WRITE);
    List<IoFuture<Integer>> calls = allThreadsWait();
    var write = file.writeAll(bytes("taken"));
    assertThat(write.poll(new Bell().context())).isNull();
    write.drop();
    file.close();
    Thread closer = Thread.ofPlatform().start(() -> runtime.close(Timeouts.MEDIUM));
    var bell = new Bell();
    assertThatThrownBy(
            () -> {
              for (int rings = 0; calls.getLast().poll(bell.context()) == null; rings++) {
                bell.awaitAfter(rings);
              }
            })
        .as("what has no thread yet is cancelled once the lane is closed")
        .isInstanceOf(CancelledException.class);
    free.countDown();
    closer.join();
    calls.forEach(IoFuture::drop);
    assertThat(dir.resolve("taken")).hasContent("taken");
  }
}
