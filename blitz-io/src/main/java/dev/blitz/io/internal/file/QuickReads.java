package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What is read, opened or looked up inside a poll. Its calls look for the name, and for the bytes,
 * in what the system has in memory alone; what is not there is for a thread of the lane, or the
 * kernel's.
 *
 * <p>Some file systems ask a server when a file is opened or closed, whatever is in memory. So a
 * directory is only tried after a thread has found that it is on one that does not; and a link in
 * it is not followed, as it may lead to another.
 */
/* Implementation notes
 *
 * `known` has the directories that were looked at last, each in the place that its hash picks: one that is displaced is learnt again. A
 * directory on which another file system is mounted later would let a worker wait; nothing else depends on it.
 *
 * A FIFO that was opened has told its other end so. It is not closed and opened again: its number is handed to whoever reads it.
 */
final class QuickReads {
  private static final int PLACES = 256;

  /** What is larger is better read where nobody waits for the copying. */
  private static final int MOST_BYTES = 32 << 10;

  private static final int READING = FileAbi.O_RDONLY | FileAbi.O_CLOEXEC | PosixAbi.O_NONBLOCK;

  /** Opens nothing but the name: no FIFO, no device is told. */
  private static final int LOOKING = FileAbi.O_PATH | FileAbi.O_CLOEXEC;

  /** A directory that a thread has looked at. */
  private record Known(Path directory, boolean isLocal) {}

  private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(PLACES);
  private final int noFollow;

  QuickReads(String architecture) {
    noFollow = FileAbi.noFollow(architecture);
  }

  private static int place(Path directory) {
    return (directory.hashCode() * 0x9E3779B9) >>> 24;
  }

  private @Nullable Known known(@Nullable Path directory) {
    Known there = directory == null ? null : known.get(place(directory));
    return there != null && there.directory.equals(directory) ? there : null;
  }

  private boolean isTried(Path path) {
    Known there = known(path.getParent());
    return there != null && there.isLocal;
  }

  /** Whether {@link #learn} would find something out. */
  boolean isUnknown(Path path) {
    Path directory = path.getParent();
    return directory != null && known(directory) == null;
  }

  /**
   * What a try has found.
   *
   * @param bytes all of a file, if they could be had at once
   * @param pipe what was opened and is no file; the caller's
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Found(byte @Nullable [] bytes, @Nullable HeldPipe pipe) {
    static final Found NOTHING = new Found(null, null);
  }

  /** Tries to read all of a file, which has up to {@code limit} bytes. */
  Found read(Path path, int limit) {
    PathBytes name = isTried(path) ? PathBytes.of(path) : null;
    if (name == null) {
      return Found.NOTHING;
    }
    StackRoom.forCalls(); // to close what was opened
    CallFrame frame = CallFrame.take();
    try {
      int fd = FileCalls.openNow(frame, name.copyTo(frame.staging()), READING | noFollow);
      return fd < 0 ? Found.NOTHING : read(frame, path, fd, limit);
    } finally {
      frame.giveBack();
    }
  }

  private static Found read(CallFrame frame, Path path, int fd, int limit) {
    boolean handedOn = false;
    try {
      MemorySegment memory = frame.staging();
      int n = FileCalls.readNow(frame, fd, memory, MOST_BYTES, 0);
      if (n == -Errno.ESPIPE) {
        var found = new Found(null, new HeldPipe(path, fd));
        handedOn = true;
        return found;
      }
      if (n < 0 || n > limit || n == MOST_BYTES) {
        return Found.NOTHING;
      }
      // A short read may have met what is not in memory: only the size tells that it was the end.
      byte[] bytes = PosixAbi.bytesAt(memory, n);
      return FileCalls.sizeNow(frame, fd) == n ? new Found(bytes, null) : Found.NOTHING;
    } finally {
      if (!handedOn) {
        PosixCalls.close(fd);
      }
    }
  }

  /**
   * Tries to open what is to be read only.
   *
   * @param flags for the kernel
   * @return its number, which is the caller's; negative if it could not be had at once
   */
  int open(Path path, PathBytes name, int flags) {
    if (!isTried(path)) {
      return -Errno.EAGAIN;
    }
    CallFrame frame = CallFrame.take();
    try {
      int atOnce = flags | PosixAbi.O_NONBLOCK | noFollow;
      return FileCalls.openNow(frame, name.copyTo(frame.staging()), atOnce);
    } finally {
      frame.giveBack();
    }
  }

  /** Tries to find out what is known of a file. */
  @Nullable FileStatus status(Path path, boolean followLinks) {
    PathBytes name = isTried(path) ? PathBytes.of(path) : null;
    if (name == null || path.endsWith("..")) { // which may be on another file system
      return null;
    }
    StackRoom.forCalls(); // to close what was opened
    CallFrame frame = CallFrame.take();
    try {
      int fd = FileCalls.openNow(frame, name.copyTo(frame.staging()), LOOKING | noFollow);
      return fd < 0 ? null : status(frame, fd, followLinks);
    } finally {
      frame.giveBack();
    }
  }

  private static @Nullable FileStatus status(CallFrame frame, int fd, boolean followLinks) {
    try {
      ByteBuffer memory = frame.staging().asSlice(0, FileAbi.STATX_BYTES).asByteBuffer();
      if (FileCalls.statusNow(frame, fd) < 0 || FileAbi.isMountRoot(memory, 0)) {
        return null;
      }
      FileStatus status = FileAbi.status(memory, 0);
      return followLinks && status.kind() == FileStatus.Kind.LINK ? null : status;
    } finally {
      PosixCalls.close(fd);
    }
  }

  /** Finds out about the directory of {@code path}; on a thread that may wait. */
  void learn(Path path) {
    Path directory = path.getParent();
    PathBytes name = directory == null ? null : PathBytes.of(directory);
    if (directory == null || name == null || known(directory) != null) {
      return;
    }
    CallFrame frame = CallFrame.take();
    try {
      long kind = FileCalls.fileSystem(frame, name.copyTo(frame.staging()));
      if (kind >= 0) {
        known.set(place(directory), new Known(directory, isLocal(kind)));
      }
    } finally {
      frame.giveBack();
    }
  }

  private static boolean isLocal(long kind) {
    return kind == FileAbi.EXT4
        || kind == FileAbi.XFS
        || kind == FileAbi.BTRFS
        || kind == FileAbi.TMPFS
        || kind == FileAbi.F2FS;
  }
}
