package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAbiTest {

  @Test
  void aStatx_isReadWhereTheKernelWritesIt() {
    var memory = ByteBuffer.allocateDirect(FileAbi.STATX_BYTES + 8).order(ByteOrder.nativeOrder());
    int at = 8;
    memory.putInt(at, 0xFFF); // stx_mask
    memory.putInt(at + 16, 3); // stx_nlink
    memory.putInt(at + 20, 1000); // stx_uid
    memory.putInt(at + 24, 100); // stx_gid
    memory.putShort(at + 28, (short) 0100644); // stx_mode
    memory.putLong(at + 32, 77); // stx_ino
    memory.putLong(at + 40, 5_000_000_000L); // stx_size
    memory.putLong(at + 64, 10).putInt(at + 72, 1); // stx_atime
    memory.putLong(at + 80, 20).putInt(at + 88, 2); // stx_btime
    memory.putLong(at + 112, -5).putInt(at + 120, 999_999_999); // stx_mtime
    memory.putInt(at + 136, 8).putInt(at + 140, 1); // stx_dev_major, stx_dev_minor
    assertThat(FileAbi.status(memory, at))
        .isEqualTo(
            new FileStatus(
                FileStatus.Kind.FILE,
                5_000_000_000L,
                0644,
                1000,
                100,
                3,
                0x801,
                77,
                Instant.ofEpochSecond(-5, 999_999_999),
                Instant.ofEpochSecond(10, 1),
                Instant.ofEpochSecond(20, 2)));
    assertThat(FileAbi.size(memory, at)).isEqualTo(5_000_000_000L);
  }

  @Test
  void aFlock_isWrittenWhereTheKernelReadsIt() {
    var bytes = ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder());
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put(i, (byte) -1);
    }
    FileAbi.setLock(MemorySegment.ofBuffer(bytes), FileAbi.F_WRLCK, 1L << 40, 5_000_000_000L);
    assertThat(bytes.getShort(0)).as("l_type").isEqualTo((short) 1);
    assertThat(bytes.getShort(2)).as("l_whence: SEEK_SET").isZero();
    assertThat(bytes.getLong(8)).as("l_start").isEqualTo(1L << 40);
    assertThat(bytes.getLong(16)).as("l_len").isEqualTo(5_000_000_000L);
    assertThat(bytes.getInt(24)).as("l_pid, which must be 0").isZero();
    assertThat(bytes.getLong(32)).as("behind it").isEqualTo(-1);
  }

  /** What the kernel makes of it: two descriptors that keep each other out. */
  @Test
  void aFlock_locksWhatItSays(@TempDir Path dir) throws Exception {
    assumeTrue(TestBackends.probe("epoll").available());
    PathBytes name = Objects.requireNonNull(PathBytes.of(Files.createFile(dir.resolve("f"))));
    int[] fds = new int[2];
    CallFrame frame = CallFrame.take();
    try {
      for (int i = 0; i < 2; i++) {
        int flags = FileAbi.O_RDWR | FileAbi.O_CLOEXEC;
        fds[i] = PosixCalls.open(frame, name.copyTo(frame.staging()), flags, 0);
        assertThat(fds[i]).isNotNegative();
      }
    } finally {
      frame.giveBack();
    }
    long far = 1L << 40;
    try {
      assertThat(FileCalls.setLock(fds[0], FileAbi.F_WRLCK, far, 7)).isZero();
      assertThat(FileCalls.setLock(fds[1], FileAbi.F_WRLCK, far - 1, 1)).isZero();
      assertThat(FileCalls.setLock(fds[1], FileAbi.F_WRLCK, far + 7, 0)).isZero();
      for (short type : new short[] {FileAbi.F_RDLCK, FileAbi.F_WRLCK}) {
        assertThat(FileCalls.setLock(fds[1], type, far, 1)).isEqualTo(-Errno.EAGAIN);
        assertThat(FileCalls.setLock(fds[1], type, far + 6, 1)).isEqualTo(-Errno.EAGAIN);
      }
      assertThat(FileCalls.setLock(fds[0], FileAbi.F_RDLCK, far, 7)).as("shared").isZero();
      assertThat(FileCalls.setLock(fds[1], FileAbi.F_RDLCK, far, 7)).isZero();
      assertThat(FileCalls.setLock(fds[0], FileAbi.F_WRLCK, far, 7)).isEqualTo(-Errno.EAGAIN);
      assertThat(FileCalls.setLock(fds[0], FileAbi.F_RDLCK, Long.MAX_VALUE - 1, 1))
          .as("the end is far away")
          .isEqualTo(-Errno.EAGAIN);
      assertThat(FileCalls.setLock(fds[1], FileAbi.F_UNLCK, 0, 0)).isZero();
      assertThat(FileCalls.setLock(fds[0], FileAbi.F_WRLCK, 0, 0)).isZero();
    } finally {
      PosixCalls.close(fds[0]);
      PosixCalls.close(fds[1]);
    }
  }

  @Test
  void options_areTheJdksFlags_orTheJdksBusiness() {
    OpenMode read = Objects.requireNonNull(OpenMode.of(Set.of()));
    assertThat(read.flags("amd64")).isEqualTo(FileAbi.O_RDONLY | FileAbi.O_CLOEXEC);
    OpenMode log =
        Objects.requireNonNull(
            OpenMode.of(
                Set.of(
                    StandardOpenOption.APPEND,
                    StandardOpenOption.CREATE,
                    LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rwxr-x--x"))));
    assertThat(log.permissions()).isEqualTo(0751);
    assertThat(log.flags("amd64"))
        .isEqualTo(
            FileAbi.O_WRONLY | FileAbi.O_APPEND | FileAbi.O_CREAT | FileAbi.O_CLOEXEC | 0x20000);
    assertThat(log.flags("aarch64") & 0x8000).isEqualTo(0x8000);
    assertThat(OpenMode.of(Set.of(StandardOpenOption.DELETE_ON_CLOSE))).isNull();
    assertThat(OpenMode.of(Set.of(StandardOpenOption.READ, StandardOpenOption.APPEND))).isNull();
  }
}
