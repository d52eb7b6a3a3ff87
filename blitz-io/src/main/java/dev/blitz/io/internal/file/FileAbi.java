package dev.blitz.io.internal.file;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;

/**
 * Numbers and layouts of the kernel for files: {@code <linux/io_uring.h>}, {@code <fcntl.h>},
 * {@code <linux/stat.h>}.
 */
final class FileAbi {
  private FileAbi() {}

  static final int OP_FSYNC = 3;
  static final int OP_POLL_ADD = 6;
  static final int OP_OPENAT = 18;
  static final int OP_CLOSE = 19;
  static final int OP_STATX = 21;
  static final int OP_READ = 22;
  static final int OP_WRITE = 23;
  static final int OP_RENAMEAT = 35;
  static final int OP_UNLINKAT = 36;
  static final int OP_MKDIRAT = 37;
  static final int OP_SYMLINKAT = 38;
  static final int OP_LINKAT = 39;
  static final int OP_FTRUNCATE = 55;

  static final int FSYNC_DATASYNC = 1;

  /** For reads and writes: where the descriptor is. */
  static final long OWN_POSITION = -1;

  static final int AT_FDCWD = -100;
  static final int AT_SYMLINK_NOFOLLOW = 0x100;
  static final int AT_REMOVEDIR = 0x200;
  static final int AT_EMPTY_PATH = 0x1000;

  /** What is known here will do: no server is asked. */
  static final int AT_STATX_DONT_SYNC = 0x4000;

  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_TRUNC = 0x200;
  static final int O_APPEND = 0x400;
  static final int O_DSYNC = 0x1000;
  static final int O_SYNC = 0x101000;
  static final int O_CLOEXEC = 0x80000;
  static final int O_PATH = 0x200000;

  /** This one has another number on some architectures. */
  static int noFollow(String architecture) {
    return architecture.equals("aarch64") || architecture.startsWith("arm") ? 0x8000 : 0x20000;
  }

  // System calls, with the same number on every architecture that a JDK is built for.

  static final long OPENAT2 = 437;
  static final long CACHESTAT = 451;

  /** {@code struct open_how}. */
  static final int OPEN_HOW_BYTES = 24;

  static final long RESOLVE_CACHED = 0x20;

  /** More than {@code struct statfs} has, which begins with the kind of the file system. */
  static final int STATFS_BYTES = 256;

  static final long EXT4 = 0xEF53;
  static final long XFS = 0x58465342;
  static final long BTRFS = 0x9123683EL;
  static final long TMPFS = 0x01021994;
  static final long F2FS = 0xF2F52010L;

  /** And so has this one. */
  static int direct(String architecture) {
    return architecture.equals("aarch64") || architecture.startsWith("arm") ? 0x10000 : 0x4000;
  }

  static final int RWF_NOWAIT = 8;
  static final int SEEK_CUR = 1;

  // --- struct flock, of 64 bits ---

  static final int F_OFD_SETLK = 37;
  static final short F_RDLCK = 0;
  static final short F_WRLCK = 1;
  static final short F_UNLCK = 2;

  private static final int LOCK_TYPE = 0;
  private static final int LOCK_WHENCE = 2;
  private static final int LOCK_START = 8;
  private static final int LOCK_LENGTH = 16;
  private static final int LOCK_PROCESS = 24;

  /** Describes a lock from the beginning of the file on; a length of 0 is all behind it. */
  static void setLock(MemorySegment lock, short type, long position, long length) {
    lock.set(ValueLayout.JAVA_SHORT, LOCK_TYPE, type);
    lock.set(ValueLayout.JAVA_SHORT, LOCK_WHENCE, (short) 0);
    lock.set(ValueLayout.JAVA_LONG, LOCK_START, position);
    lock.set(ValueLayout.JAVA_LONG, LOCK_LENGTH, length);
    lock.set(ValueLayout.JAVA_LONG, LOCK_PROCESS, 0L);
  }

  // --- struct statx ---

  /** More than a path has, with its zero. */
  static final int PATH_BYTES = 4096;

  static final int STATX_BYTES = 256;
  static final int STATX_TYPE = 1;
  static final int STATX_SIZE = 0x200;
  static final int STATX_ALL = 0xFFF;
  private static final int STATX_BTIME = 0x800;

  private static final int MASK = 0;
  private static final int ATTRIBUTES = 8;
  private static final long MOUNT_ROOT = 0x2000;
  private static final int LINKS = 16;
  private static final int OWNER = 20;
  private static final int GROUP = 24;
  private static final int MODE = 28;
  private static final int INODE = 32;
  private static final int SIZE = 40;
  private static final int ACCESSED = 64;
  private static final int CREATED = 80;
  private static final int MODIFIED = 112;
  private static final int DEVICE_MAJOR = 136;
  private static final int DEVICE_MINOR = 140;

  private static final int S_IFMT = 0xF000;
  private static final int S_IFDIR = 0x4000;
  private static final int S_IFREG = 0x8000;
  private static final int S_IFLNK = 0xA000;

  /** The size in what {@code statx} has written. */
  static long size(MemorySegment status) {
    return status.get(ValueLayout.JAVA_LONG, SIZE);
  }

  /** The {@code S_IFMT} part of what {@code statx} has written. */
  static int fileType(MemorySegment status) {
    return Short.toUnsignedInt(status.get(ValueLayout.JAVA_SHORT, MODE)) & S_IFMT;
  }

  /** The size in what {@code statx} has written to {@code at}. */
  static long size(ByteBuffer memory, int at) {
    return memory.order(ByteOrder.nativeOrder()).getLong(at + SIZE);
  }

  /** Whether another file system than its directory's begins here. */
  static boolean isMountRoot(ByteBuffer memory, int at) {
    return (memory.order(ByteOrder.nativeOrder()).getLong(at + ATTRIBUTES) & MOUNT_ROOT) != 0;
  }

  /** All that {@code statx} has written to {@code at}. */
  static FileStatus status(ByteBuffer memory, int at) {
    ByteBuffer m = memory.order(ByteOrder.nativeOrder());
    int mode = Short.toUnsignedInt(m.getShort(at + MODE));
    Instant modified = time(m, at + MODIFIED);
    boolean knowsCreation = (m.getInt(at + MASK) & STATX_BTIME) != 0;
    return new FileStatus(
        switch (mode & S_IFMT) {
          case S_IFREG -> FileStatus.Kind.FILE;
          case S_IFDIR -> FileStatus.Kind.DIRECTORY;
          case S_IFLNK -> FileStatus.Kind.LINK;
          default -> FileStatus.Kind.OTHER;
        },
        m.getLong(at + SIZE),
        mode & ~S_IFMT,
        m.getInt(at + OWNER),
        m.getInt(at + GROUP),
        m.getInt(at + LINKS),
        device(m.getInt(at + DEVICE_MAJOR), m.getInt(at + DEVICE_MINOR)),
        m.getLong(at + INODE),
        modified,
        time(m, at + ACCESSED),
        knowsCreation ? time(m, at + CREATED) : modified);
  }

  private static Instant time(ByteBuffer memory, int at) {
    return Instant.ofEpochSecond(memory.getLong(at), memory.getInt(at + Long.BYTES));
  }

  /** As {@code makedev} does it. */
  static long device(int major, int minor) {
    return ((major & 0xFFFFF000L) << 32)
        | ((major & 0xFFFL) << 8)
        | ((minor & 0xFFFFFF00L) << 12)
        | (minor & 0xFFL);
  }
}
