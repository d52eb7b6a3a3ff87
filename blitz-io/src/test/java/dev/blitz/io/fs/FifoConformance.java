package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** FIFOs are opened as {@link FileChannel#open} does it: each end waits for the other. */
abstract class FifoConformance extends FileConformance {
  /** More than there are threads for files, and than the kernel has for one ring. */
  private static final int MANY = 70;

  FifoConformance(String backend) {
    super(backend);
  }

  /** A thread of its own, whose end is checked. */
  static FutureTask<Integer> other(Path fifo, OpenOption end, Use use) {
    var task =
        new FutureTask<>(() -> {
          try (FileChannel channel = FileChannel.open(fifo, end)) {
            return use.with(channel);
          }
        });
    Thread.ofPlatform().start(task);
    return task;
  }

  interface Use {
    int with(FileChannel channel) throws IOException;
  }

  static <T> T await(IoFuture<T> future, Bell bell) throws IOException {
    for (int rings = bell.rings(); ; rings = bell.rings()) {
      T value = future.poll(bell.context());
      if (value != null) {
        return value;
      }
      bell.awaitAfter(rings);
    }
  }

  @Test
  void reader_isOpen_whenSomebodyWrites() throws Exception {
    Path fifo = fifo();
    var bell = new Bell();
    var opening = inside(() -> AsyncFile.open(fifo));
    assertThat(opening.poll(bell.context())).isNull();
    assertThat(await(() -> FileTree.exists(fifo))).isTrue();
    assertThat(opening.poll(bell.context())).as("nobody writes").isNull();
    var wrote = other(fifo, WRITE, channel -> channel.write(bytes("abc")));
    try (AsyncFile file = await(opening, bell)) {
      var target = ByteBuffer.allocate(8);
      assertThat(file.read(target).await()).isEqualTo(3);
      assertThat(text(target)).isEqualTo("abc");
      assertThat(wrote.get()).isEqualTo(3);
      assertThat(file.read(target.clear()).await()).isEqualTo(ByteReader.EOF);
    }
  }

  /** One who opens, writes nothing and stays: the open is over, the read is not. */
  @Test
  void reader_isOpen_whenAWriterIsSilent() throws Exception {
    Path fifo = fifo();
    var bell = new Bell();
    var opening = inside(() -> AsyncFile.open(fifo));
    assertThat(opening.poll(bell.context())).isNull();
    var seen = new CountDownLatch(1);
    var silent =
        other(
            fifo,
            WRITE,
            channel -> {
              Await.until(() -> seen.getCount() == 0, "the file was opened");
              return 1;
            });
    try (AsyncFile file = await(opening, bell)) {
      var read = file.read(ByteBuffer.allocate(8));
      assertThat(read.poll(new Bell().context())).isNull();
      read.drop();
    }
    seen.countDown();
    assertThat(silent.get()).isEqualTo(1);
  }

  @Test
  void writer_isOpen_whenSomebodyReads() throws Exception {
    Path fifo = fifo();
    var bell = new Bell();
    var opening = inside(() -> AsyncFile.open(fifo, WRITE));
    assertThat(opening.poll(bell.context())).isNull();
    assertThat(await(() -> FileTree.exists(fifo))).isTrue();
    assertThat(opening.poll(bell.context())).as("nobody reads").isNull();
    var target = ByteBuffer.allocate(8);
    var read = other(fifo, READ, channel -> channel.read(target));
    try (AsyncFile file = await(opening, bell)) {
      file.writeAll(bytes("abc")).await();
      assertThat(read.get()).isEqualTo(3);
    }
    assertThat(text(target)).isEqualTo("abc");
  }

  @Test
  void openedForBoth_waitsForNobody() throws Exception {
    Path fifo = fifo();
    try (AsyncFile file = await(() -> AsyncFile.open(fifo, READ, WRITE))) {
      file.writeAll(bytes("abc")).await();
      var target = ByteBuffer.allocate(8);
      assertThat(file.read(target).await()).isEqualTo(3);
    }
  }

  /** Also where a directory is known to be quick. */
  @Test
  void readAll_waitsForAWriter_andForItsEnd() throws Exception {
    Path fifo = fifo();
    Path path = write("beside", "text");
    for (int i = 0; i < 2; i++) {
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
    }
    var bell = new Bell();
    var reading = inside(() -> AsyncFile.readAll(fifo, 1 << 20));
    assertThat(reading.poll(bell.context())).isNull();
    assertThat(await(() -> FileTree.exists(fifo))).isTrue();
    assertThat(reading.poll(bell.context())).as("nobody writes").isNull();
    byte[] data = noise(300_000, 1);
    var wrote = other(fifo, WRITE, channel -> channel.write(ByteBuffer.wrap(data)));
    assertThat(await(reading, bell)).isEqualTo(data);
    assertThat(wrote.get()).isEqualTo(data.length);
    var dropped = inside(() -> AsyncFile.readAll(fifo));
    dropped.drop();
  }

  /** Nothing but the runtime's close would end it; also where a directory is known to be quick. */
  @Test
  void readAll_ofASilentFifo_endsWithTheRuntime() throws Exception {
    Path fifo = fifo();
    Path path = write("beside", "text");
    for (int i = 0; i < 2; i++) {
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
    }
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      var reading = inside(() -> AsyncFile.readAll(fifo));
      pollUntilItWaits(reading);
      assertThat(runtime.close(Timeouts.SHORT).clean()).isTrue();
      assertThat(failureOf(() -> reading.poll(new Bell().context()))).isNotNull();
      assertThat(both.isOpen()).isTrue();
    }
  }

  /** They would have to wait for a writer who never comes, if they held threads for files. */
  @Test
  void droppedOpens_holdUpNoFile() throws Exception {
    Path fifo = fifo();
    Path path = write("beside", "text");
    List<IoFuture<AsyncFile>> opens = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        opens.add(inside(() -> AsyncFile.open(fifo)));
        assertThat(opens.getLast().poll(new Bell().context())).isNull();
      }
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
      opens.forEach(IoFuture::drop);
      try (AsyncFile file = await(() -> AsyncFile.open(path, READ, WRITE))) {
        file.force(true).await();
        assertThat(file.size().await()).isEqualTo(4);
      }
      assertThat(await(() -> FileTree.metadata(path)).size()).isEqualTo(4);
    } finally {
      release(fifo);
    }
  }

  /** Lets those go who still wait inside an open. */
  private static void release(Path fifo) {
    Await.until(
        () -> {
          FileChannel.open(fifo, READ, WRITE).close();
          return Thread.getAllStackTraces().values().stream()
              .noneMatch(frames -> Arrays.toString(frames).contains("UnixNativeDispatcher.open"));
        },
        "all opens have ended");
  }

  @Test
  void wholeFifos_holdUpNoFile() throws Exception {
    Path fifo = fifo();
    Path path = write("beside", "text");
    List<IoFuture<?>> all = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        all.add(inside(() -> AsyncFile.readAll(fifo)));
        pollUntilItWaits(all.getLast());
      }
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
      assertThat(await(() -> FileTree.metadata(path)).size()).isEqualTo(4);
      all.forEach(IoFuture::drop);
    } finally {
      release(fifo);
    }
  }

  /** So that it has gone where it waits for the other end. */
  private void pollUntilItWaits(IoFuture<?> future) throws Exception {
    var bell = new Bell();
    assertThat(future.poll(bell.context())).isNull();
    assertThat(await(() -> FileTree.exists(dir))).isTrue();
    if (bell.rings() > 0) {
      assertThat(future.poll(bell.context())).isNull();
    }
  }

  @Test
  void pendingReads_holdUpNoFile() throws Exception {
    Path fifo = fifo();
    Path path = write("beside", "text");
    try (FileChannel both = FileChannel.open(fifo, READ, WRITE)) {
      List<AsyncFile> files = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        AsyncFile file = await(() -> AsyncFile.open(fifo));
        files.add(file);
        assertThat(file.read(ByteBuffer.allocate(4)).poll(new Bell().context())).isNull();
      }
      assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("text");
      assertThat(await(() -> FileTree.metadata(path)).size()).isEqualTo(4);
      files.forEach(AsyncFile::close);
      assertThat(both.isOpen()).isTrue();
    }
  }
}
