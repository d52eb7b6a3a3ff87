package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.stream.IoSource;
import dev.blitz.testkit.Await;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Dropped at every poll; the leak check of the suite sees to descriptors and threads. */
abstract class FileDropConformance extends FileConformance {
  private final AtomicInteger number = new AtomicInteger();

  FileDropConformance(String backend) {
    super(backend);
  }

  private Path fresh() {
    return dir.resolve("f" + number.getAndIncrement());
  }

  @Test
  void anOpen_leavesNoDescriptor() throws Exception {
    Path path = write("a", "x");
    dropAtEveryPoll(() ->
        new Scene<>(
            inside(() -> AsyncFile.open(path)),
            value -> {
              if (value != null) {
                value.close();
              }
            }));
  }

  @Test
  void aRead_hasMovedNothing() throws Exception {
    byte[] data = noise(700_000, 2);
    Path path = Files.write(fresh(), data);
    try (AsyncFile file = await(() -> AsyncFile.open(path))) {
      dropAtEveryPoll(() -> {
        var target = ByteBuffer.allocate(10);
        file.position(1234);
        return new Scene<>(
            file.read(target),
            value -> {
              if (value == null) {
                assertThat(target.position()).isZero();
                assertThat(file.position()).isEqualTo(1234);
              }
              var again = ByteBuffer.allocate(10);
              file.position(1234);
              file.readFully(again).await();
              assertThat(again.array()).isEqualTo(Arrays.copyOfRange(data, 1234, 1244));
            });
      });
      int polls =
          dropAtEveryPoll(() -> {
            var target = ByteBuffer.allocate(data.length);
            file.position(0);
            return new Scene<>(
                file.readFully(target),
                value -> {
                  assertThat(file.position()).isEqualTo(target.position());
                  file.readFully(target).await();
                  assertThat(target.array()).isEqualTo(data);
                });
          });
      assertThat(polls).isPositive();
    }
  }

  @Test
  void aReadAtAPlace_keepsNoHoldOfTheBuffer() throws Exception {
    byte[] data = noise(100_000, 4);
    Path path = Files.write(fresh(), data);
    try (AsyncFile file = await(() -> AsyncFile.open(path))) {
      dropAtEveryPoll(() -> {
        byte[] target = new byte[50_000];
        return new Scene<>(
            file.readFullyAt(100, ByteBuffer.wrap(target)),
            value -> {
              byte[] now = target.clone();
              file.size().await(); // later than the read, on the lane
              assertThat(target).isEqualTo(now);
              if (value != null) {
                assertThat(target).isEqualTo(Arrays.copyOfRange(data, 100, 50_100));
              }
            });
      });
    }
  }

  /** What the position says is in the file, once what follows has been done. */
  @Test
  void aWrite_hasWrittenUpToThePosition() throws Exception {
    byte[] data = noise(700_000, 6);
    dropAtEveryPoll(() -> {
      Path path = fresh();
      AsyncFile file = await(() -> AsyncFile.open(path, CREATE, READ, WRITE));
      var source = ByteBuffer.wrap(data.clone());
      return new Scene<>(
          file.writeAll(source),
          value -> {
            try (file) {
              Arrays.fill(source.array(), source.position(), data.length, (byte) 0);
              int taken = source.position();
              Arrays.fill(source.array(), (byte) 0); // nobody reads from there any more
              assertThat(file.position()).isEqualTo(taken);
              assertThat(file.size().await()).isEqualTo(taken);
              file.writeAll(ByteBuffer.wrap(data, taken, data.length - taken)).await();
              assertThat(Files.readAllBytes(path)).isEqualTo(data);
            }
          });
    });
  }

  /** A write that comes late must not overwrite what was written after it was dropped. */
  @Test
  void aDroppedWrite_comesBeforeWhatFollows() throws Exception {
    Path path = fresh();
    try (AsyncFile file = await(() -> AsyncFile.open(path, CREATE, READ, WRITE))) {
      for (int round = 0; round < 50; round++) {
        byte[] old = new byte[200_000];
        Arrays.fill(old, (byte) 'o');
        byte[] now = new byte[200_000];
        Arrays.fill(now, (byte) ('a' + round % 20));
        var bell = new Bell();
        List<IoFuture<Done>> dropped = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          var write = file.writeAllAt(0, ByteBuffer.wrap(old));
          if (write.poll(bell.context()) == null) {
            dropped.add(write);
          }
        }
        dropped.forEach(IoFuture::drop);
        file.writeAllAt(0, ByteBuffer.wrap(now)).await();
        var target = ByteBuffer.allocate(now.length);
        file.readFullyAt(0, target).await();
        assertThat(target.array()).isEqualTo(now);
      }
      // Those who wait for dropped ones may be dropped too.
      var bell = new Bell();
      var first = file.writeAllAt(0, ByteBuffer.allocate(200_000));
      first.poll(bell.context());
      first.drop();
      var second = file.readAt(0, ByteBuffer.allocate(1));
      if (second.poll(bell.context()) == null) {
        second.drop();
      }
      assertThat(file.size().await()).isEqualTo(200_000);
    }
  }

  @Test
  void operationsOnNames_areDoneOrNot() throws Exception {
    dropAtEveryPoll(() -> {
      Path path = fresh();
      return new Scene<>(
          inside(() -> FileTree.createDirectory(path)),
          value -> {
            if (value != null) {
              assertThat(path).isDirectory();
            }
          });
    });
    dropAtEveryPoll(() -> {
      Path from = Files.writeString(fresh(), "x");
      Path to = fresh();
      return new Scene<>(
          inside(() -> FileTree.rename(from, to)),
          value -> {
            Await.until(
                () -> Files.exists(from) != Files.exists(to), "one of the two, and not both");
            if (value != null) {
              assertThat(to).exists();
            }
          });
    });
    dropAtEveryPoll(() -> {
      Path path = Files.writeString(fresh(), "x");
      return new Scene<>(
          inside(() -> FileTree.delete(path)),
          value -> {
            if (value != null) {
              assertThat(path).doesNotExist();
            }
          });
    });
  }

  @Test
  void stepsAndMetadata() throws Exception {
    Path path = Files.writeString(fresh(), "123456");
    try (AsyncFile file = await(() -> AsyncFile.open(path, READ, WRITE))) {
      dropAtEveryPoll(() -> new Scene<>(file.size(), value -> {}));
      dropAtEveryPoll(() -> new Scene<>(file.force(true), value -> {}));
      dropAtEveryPoll(() ->
          new Scene<>(
              file.setLength(3),
              value -> {
                file.setLength(6).await(); // after it
                assertThat(Files.size(path)).isEqualTo(6);
              }));
      dropAtEveryPoll(() -> new Scene<>(inside(() -> FileTree.metadata(path)), value -> {}));
    }
  }

  @Test
  void wholeFiles_areOldOrNew() throws Exception {
    byte[] data = noise(300_000, 8);
    dropAtEveryPoll(() -> {
      Path path = Files.write(fresh(), data);
      return new Scene<>(
          inside(() -> AsyncFile.readAll(path)),
          value -> {
            if (value != null) {
              assertThat(value).isEqualTo(data);
            }
          });
    });
    dropAtEveryPoll(() -> {
      Path path = Files.writeString(fresh(), "old");
      return new Scene<>(
          inside(() -> AsyncFile.replace(path, data)),
          value -> {
            byte[] now = Files.readAllBytes(path);
            assertThat(now.length).isIn(3, data.length);
            if (value != null) {
              assertThat(now).isEqualTo(data);
            }
          });
    });
    Await.until(
        () -> {
          try (var names = Files.list(dir)) {
            return names.noneMatch(p -> p.toString().endsWith(".new"));
          }
        },
        "no replacement that was left half done");
  }

  @Test
  void aLine_isNotLost_whenItsWaitIsDropped() throws Exception {
    Path path = Files.writeString(fresh(), "one\ntwo\n" + "x".repeat(600_000) + "\nlast");
    dropAtEveryPoll(() -> {
      IoSource<String> lines = inside(() -> AsyncFile.lines(path));
      return new Scene<>(
          lines.next(),
          value -> {
            try (lines) {
              if (value == null) {
                assertThat(lines.next().await()).contains("one");
              }
              var bell = new Bell();
              assertThat(lines.next().await()).contains("two");
              var dropped = lines.next();
              if (dropped.poll(bell.context()) == null) {
                dropped.drop();
                assertThat(lines.next().await().orElseThrow()).hasSize(600_000);
              }
              assertThat(lines.next().await()).contains("last");
              assertThat(lines.next().await()).isEmpty();
            }
          });
    });
  }

  @Test
  void aListing_losesNoName_whenItsWaitIsDropped() throws Exception {
    Path many = Files.createDirectory(fresh());
    for (int i = 0; i < 700; i++) {
      Files.createFile(many.resolve("n" + i));
    }
    dropAtEveryPoll(() -> {
      IoSource<Path> names = inside(() -> FileTree.list(many));
      return new Scene<>(
          names.next(),
          value -> {
            List<Path> all = new ArrayList<>();
            if (value != null) {
              value.ifPresent(all::add);
            }
            runtime.run(() -> {
              try (names) {
                var bell = new Bell();
                while (!names.hasEnded()) {
                  var hasty = names.next();
                  var got = hasty.poll(bell.context());
                  if (got == null) {
                    hasty.drop();
                    got = names.next().await();
                  }
                  got.ifPresent(all::add);
                }
              }
            });
            assertThat(all).hasSize(700).doesNotHaveDuplicates();
          });
    });
  }

  @Test
  void cancelledTasks_leaveNothing() throws Exception {
    Path path = Files.write(fresh(), noise(300_000, 9));
    for (int i = 0; i < 30; i++) {
      var task =
          runtime.spawn(() -> {
            try (AsyncFile file = AsyncFile.open(path, READ, WRITE).await()) {
              var buffer = ByteBuffer.allocate(4096);
              for (; ; ) {
                file.read(buffer.clear()).await();
                file.writeAllAt(0, buffer.flip()).await();
                file.position(0);
              }
            }
          });
      if (i % 3 > 0) {
        Await.until(
            () -> runtime.dump().stream().anyMatch(line -> line.contains(path.toString())),
            "a task that is at work");
      }
      task.cancel();
      Await.until(task::isDone, "the task's end");
    }
    assertThat(Files.size(path)).isEqualTo(300_000);
  }

  /** Users fill their blocking pool with calls that wait for files. */
  @Test
  void files_needNoneOfTheUsersThreads() throws Exception {
    Path path = write("x", "there");
    var release = new CountDownLatch(1);
    var busy =
        runtime.spawnBlocking(() -> {
          release.await();
          return 1;
        });
    assertThat(await(() -> AsyncFile.readText(path))).isEqualTo("there");
    release.countDown();
    busy.await();
    assertThat(runtime.spawnBlocking(() -> AsyncFile.readText(path).await()).await())
        .isEqualTo("there");
  }

  @Test
  void aClosedRuntime_closesItsFiles_andNobodyWaitsForEver() throws Exception {
    Path path = Files.write(fresh(), noise(100_000, 10));
    List<AsyncFile> files = new ArrayList<>();
    List<IoFuture<Integer>> pending = new ArrayList<>();
    var bell = new Bell();
    for (int i = 0; i < 20; i++) {
      AsyncFile file = await(() -> AsyncFile.open(path));
      files.add(file);
      var read = file.read(ByteBuffer.allocate(100_000));
      if (read.poll(bell.context()) == null) {
        pending.add(read);
      }
    }
    runtime.close();
    for (AsyncFile file : files) {
      assertThat(file.isOpen()).isFalse();
    }
    for (var read : pending) {
      failureOf(read::await); // a result or a failure, and no wait without an end
    }
    assertThatThrownBy(() -> files.get(0).size().await())
        .isInstanceOf(java.nio.channels.ClosedChannelException.class);
  }
}
