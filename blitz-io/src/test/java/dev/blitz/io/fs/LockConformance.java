package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.TestBackends;
import dev.blitz.io.direct.ChildJvm;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locked parts of files. */
abstract class LockConformance extends FileConformance {
  private static final int PIECE = 256 << 10;

  LockConformance(String backend) {
    super(backend);
  }

  private AsyncFile file() throws Exception {
    return file("f", READ, WRITE, CREATE);
  }

  private boolean isJdk() {
    return backend.equals(TestBackends.JDK_FILES);
  }

  /** Polls until it waits for the next time to ask. */
  private static void awaitPause(IoFuture<?> locking, Bell bell) {
    Await.until(
        () -> {
          assertThat(locking.poll(bell.context())).isNull();
          return locking.toString().contains("asks again ");
        },
        "a lock that was asked for in vain");
  }

  @Test
  void aLock_keepsOthersOut_untilItIsReleased() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      FileRangeLock lock = one.lock().await();
      assertThat(lock.isValid()).isTrue();
      assertThat(lock.isShared()).isFalse();
      assertThat(lock.length()).isEqualTo(Long.MAX_VALUE);
      assertThat(lock.file()).isSameAs(one);
      assertThat(other.tryLock().await()).isEmpty();
      assertThat(other.tryLock(1L << 40, 0, false).await()).isEmpty();
      lock.release().await();
      lock.release().await();
      assertThat(lock.isValid()).isFalse();
      try (FileRangeLock second = other.tryLock(3, 0, false).await().orElseThrow()) {
        assertThat(second.position()).isEqualTo(3);
        assertThat(second.length()).isEqualTo(Long.MAX_VALUE - 3);
        assertThat(one.tryLock(0, 3, false).await()).isPresent();
        assertThat(one.tryLock(3, 1, false).await()).isEmpty();
        assertThat(one.tryLock(Long.MAX_VALUE - 1, 1, false).await()).isEmpty();
      }
    }
  }

  @Test
  void oneThatWaits_getsItWhenItIsFree() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      FileRangeLock lock = one.lock(10, 10, false).await();
      var bell = new Bell();
      IoFuture<FileRangeLock> waiting = other.lock(19, 5, false);
      awaitPause(waiting, bell);
      lock.close();
      lock.close();
      FileRangeLock got = waiting.await();
      assertThat(got.position()).isEqualTo(19);
      assertThat(one.tryLock(10, 10, false).await()).isEmpty();
      got.close();
      one.lock(10, 10, false).await().close();
    }
  }

  /** A counter in a file, read and written by tasks that each have a file of their own. */
  @Test
  void tasks_excludeEachOther() throws Exception {
    write("f", "0");
    int tasks = 4;
    int rounds = 10;
    List<AsyncFile> files = new ArrayList<>();
    List<JoinHandle<Done>> handles = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      AsyncFile file = file();
      files.add(file);
      handles.add(
          runtime.spawn(() -> {
            for (int round = 0; round < rounds; round++) {
              try (var lock = file.lock().await()) {
                var target = ByteBuffer.allocate(10);
                file.readAt(0, target).await();
                int count = Integer.parseInt(text(target));
                file.writeAllAt(0, bytes(Integer.toString(count + 1))).await();
                assertThat(lock.isValid()).isTrue();
              }
            }
          }));
    }
    handles.forEach(JoinHandle::await);
    files.forEach(AsyncFile::close); // not before: see AsyncFile.lock
    assertThat(Files.readString(dir.resolve("f"))).isEqualTo("" + tasks * rounds);
  }

  @Test
  void anOverlap_ofTheSameFile_isRefused() throws Exception {
    try (AsyncFile file = file();
        AsyncFile other = file()) {
      FileRangeLock lock = file.lock(10, 10, false).await();
      assertThatThrownBy(() -> file.lock(19, 1, true).await())
          .isInstanceOf(OverlappingFileLockException.class);
      assertThatThrownBy(() -> file.tryLock().await())
          .isInstanceOf(OverlappingFileLockException.class);
      file.lock(20, 5, false).await();
      file.lock(5, 5, true).await();
      assertThat(lock.isValid()).isTrue();
      assertThat(other.tryLock(12, 1, false).await()).isEmpty();
      // One that waits counts too, and one that has been dropped does not.
      var bell = new Bell();
      IoFuture<FileRangeLock> waiting = other.lock(10, 10, false);
      awaitPause(waiting, bell);
      assertThatThrownBy(() -> other.tryLock(10, 1, false).await())
          .isInstanceOf(OverlappingFileLockException.class);
      waiting.drop();
      assertThat(other.tryLock(10, 1, false).await()).isEmpty();
      for (int i = 0; i < 100; i++) { // what is being given back is waited for
        lock.close();
        lock = file.tryLock(10, 10, false).await().orElseThrow();
      }
    }
  }

  @Test
  void aSharedLock_keepsOutWhoWantsItAlone() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      one.lock(0, 10, true).await();
      assertThat(other.tryLock(0, 10, false).await()).isEmpty();
      Optional<FileRangeLock> second = other.tryLock(0, 10, true).await();
      assertThat(second.isPresent()).isEqualTo(!isJdk()); // of one process: see AsyncFile.lock
      assertThat(second.map(FileRangeLock::isShared).orElse(true)).isTrue();
    }
  }

  @Test
  void channelsOfTheJdk_areKeptOut() throws Exception {
    try (AsyncFile file = file();
        FileChannel channel = FileChannel.open(dir.resolve("f"), READ, WRITE)) {
      FileRangeLock lock = file.lock().await();
      if (isJdk()) {
        assertThatThrownBy(channel::tryLock).isInstanceOf(OverlappingFileLockException.class);
      } else {
        assertThat(channel.tryLock()).isNull();
      }
      lock.release().await();
      try (var theirs = channel.lock(5, 5, false)) {
        assertThat(file.tryLock(9, 1, false).await()).isEmpty();
        assertThat(theirs.isValid()).isTrue();
      }
      assertThat(file.tryLock(9, 1, false).await()).isPresent();
    }
  }

  private static String lockedByAnotherProcess(Path path) throws Exception {
    return ChildJvm.run(LockingProgram.class, List.of(), List.of(path.toString())).output();
  }

  @Test
  void anotherProcess_isKeptOut() throws Exception {
    Path path = write("f", "x");
    try (AsyncFile file = file()) {
      FileRangeLock lock = file.lock(0, 10, false).await();
      assertThat(lockedByAnotherProcess(path)).contains("taken");
      lock.release().await();
      assertThat(lockedByAnotherProcess(path)).contains("free");
    }
  }

  @Test
  void aClose_freesWhatIsLocked_andEndsWaits() throws Exception {
    AsyncFile one = file();
    AsyncFile other = file();
    FileRangeLock lock = one.lock().await();
    var bell = new Bell();
    IoFuture<FileRangeLock> waiting = other.lock(0, 1, false);
    awaitPause(waiting, bell);
    int before = bell.rings();
    other.close();
    assertThat(bell.rings()).as("told by the close, not by the timer").isGreaterThan(before);
    assertThatThrownBy(() -> waiting.poll(bell.context()))
        .isInstanceOf(AsynchronousCloseException.class);
    assertThatThrownBy(() -> other.lock().await()).isInstanceOf(ClosedChannelException.class);
    one.close();
    assertThat(lock.isValid()).isFalse();
    lock.close();
    lock.release().await();
    try (AsyncFile third = file()) {
      third.lock().await();
    }
  }

  @Test
  void whatIsOpenWhenTheRuntimeCloses_isFree() throws Exception {
    AsyncFile one = file();
    AsyncFile other = file();
    one.lock().await();
    var bell = new Bell();
    IoFuture<FileRangeLock> waiting = other.lock();
    awaitPause(waiting, bell);
    runtime.close();
    assertThatThrownBy(() -> waiting.poll(bell.context())).isInstanceOf(Exception.class);
    try (FileChannel channel = FileChannel.open(dir.resolve("f"), WRITE)) {
      assertThat(channel.tryLock()).isNotNull();
    }
  }

  @Test
  void whatCannotBeLocked_isRefused() throws Exception {
    write("f", "abc");
    try (AsyncFile reader = file("f");
        AsyncFile writer = file("f", APPEND)) {
      assertThatThrownBy(() -> reader.lock().await())
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> writer.lock(0, 1, true).await())
          .isInstanceOf(NonReadableChannelException.class);
      assertThat(reader.tryLock(0, 1, true).await()).isPresent();
      assertThat(writer.tryLock(1, 1, false).await()).isPresent();
      assertThatThrownBy(() -> writer.lock(-1, 1, false))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.lock(0, -1, false))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.tryLock(2, Long.MAX_VALUE, false))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A lock that came after the drop is given back, and the same file may ask again at once. */
  @Test
  void aDroppedLock_isFree() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      for (int i = 0; i < 20; i++) {
        int polls =
            dropAtEveryPoll(() ->
                new Scene<>(
                    one.lock(0, 10, false),
                    value -> {
                      if (value != null) {
                        value.close();
                      }
                      try (var again = one.tryLock(5, 10, false).await().orElseThrow()) {
                        assertThat(again.isValid()).isTrue();
                      }
                      other.lock(0, 20, false).await().release().await();
                    }));
        assertThat(polls).isPositive();
      }
      dropAtEveryPoll(() -> {
        FileRangeLock lock = one.lock().await();
        return new Scene<>(lock.release(), value -> lock.release().await());
      });
    }
  }

  /** The system may be about to grant what was dropped: that is waited for, and is no overlap. */
  @Test
  void aDroppedLock_isAskedForAgainAtOnce() throws Exception {
    try (AsyncFile file = file()) {
      var bell = new Bell();
      for (int i = 0; i < 2_000; i++) {
        IoFuture<FileRangeLock> locking = file.lock();
        FileRangeLock got = locking.poll(bell.context());
        if (got != null) {
          got.close();
          continue;
        }
        for (int spins = 0; spins < i % 64; spins++) {
          Thread.onSpinWait();
        }
        locking.drop();
      }
      file.lock().await();
    }
  }

  @Test
  void aDroppedWait_leavesNothing() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      for (int polls = 0; polls < 8; polls++) {
        FileRangeLock lock = one.lock().await();
        var bell = new Bell();
        var waiting = other.lock();
        for (int i = 0; i < polls; i++) {
          int before = bell.rings();
          assertThat(waiting.poll(bell.context())).isNull();
          bell.awaitAfter(before);
        }
        waiting.drop();
        lock.release().await();
        try (var mine = other.tryLock().await().orElseThrow()) {
          assertThat(mine.isValid()).isTrue();
        }
        other.lock().await().release().await();
      }
      Await.until(() -> runtime.stats().timers() == 0, "no timer is left");
    }
  }

  /** Else what was written under the lock would come after it. */
  @Test
  void aDroppedWrite_comesBeforeTheUnlock() throws Exception {
    try (AsyncFile one = file();
        AsyncFile other = file()) {
      for (int round = 0; round < 30; round++) {
        FileRangeLock lock = one.lock().await();
        byte[] data = new byte[2 << 20];
        Arrays.fill(data, (byte) round);
        List<IoFuture<Done>> writes = new ArrayList<>();
        for (int at = 0; at < data.length; at += PIECE) {
          var write = one.writeAllAt(at, ByteBuffer.wrap(data, at, PIECE));
          if (write.poll(new Bell().context()) == null) {
            writes.add(write);
          }
        }
        writes.forEach(IoFuture::drop);
        lock.close();
        try (var after = other.lock().await()) {
          assertThat(Files.readAllBytes(dir.resolve("f"))).isEqualTo(data);
          assertThat(after.isValid()).isTrue();
        }
        other.lock().await().release().await();
      }
    }
  }

  @Test
  void many_areHeldAndWaitedFor_withoutThreads() throws Exception {
    int many = 1_000;
    AsyncFile other = file();
    try (AsyncFile one = file()) {
      List<FileRangeLock> held = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        held.add(one.lock(2L * i, 1, false).await());
      }
      var bell = new Bell();
      List<IoFuture<FileRangeLock>> waiting = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        waiting.add(other.lock(2L * i, 2, false));
      }
      waiting.forEach(locking -> awaitPause(locking, bell));
      assertThat(one.size().await()).isZero();
      other.close();
      for (var locking : waiting) {
        assertThatThrownBy(() -> locking.poll(bell.context()))
            .isInstanceOf(AsynchronousCloseException.class);
      }
      for (int i = 0; i < 100_000; i++) {
        one.lock(1, 1, false).drop();
      }
      assertThat(held).allMatch(FileRangeLock::isValid);
      held.forEach(FileRangeLock::close);
      one.lock().await();
    }
  }
}
