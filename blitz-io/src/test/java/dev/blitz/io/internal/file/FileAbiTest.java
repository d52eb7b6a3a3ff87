package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
