package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a file is to be opened, of what the kernel is told by flags. Other options, and combinations
 * that are refused, are left to the JDK.
 *
 * @param flags but for not following links
 * @param followsLinks whether links are followed
 * @param createsNew whether there must be none before
 * @param permissions of a new file
 * @param direct whether the page cache is left alone
 */
record OpenMode(
    int flags, boolean followsLinks, boolean createsNew, int permissions, boolean direct) {
  private static final int DEFAULT = 0666;

  /** In the order of the bits, lowest first. */
  private static final List<PosixFilePermission> BITS =
      List.of(
          PosixFilePermission.OTHERS_EXECUTE,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_READ);

  private static final Set<OpenOption> KNOWN =
      Set.of(
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.APPEND,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.CREATE,
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.SPARSE,
          StandardOpenOption.SYNC,
          StandardOpenOption.DSYNC,
          DirectAccess.DIRECT,
          LinkOption.NOFOLLOW_LINKS);

  /** Null if the JDK must see to it. */
  static @Nullable OpenMode of(Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    int permissions = permissions(DEFAULT, attributes);
    boolean append = options.contains(StandardOpenOption.APPEND);
    boolean read = options.contains(StandardOpenOption.READ);
    boolean truncate = options.contains(StandardOpenOption.TRUNCATE_EXISTING);
    if (!KNOWN.containsAll(options) || permissions < 0 || (append && (read || truncate))) {
      return null;
    }
    boolean write = append || options.contains(StandardOpenOption.WRITE);
    boolean createsNew = write && options.contains(StandardOpenOption.CREATE_NEW);
    int flags = FileAbi.O_CLOEXEC;
    flags |= !write ? FileAbi.O_RDONLY : read ? FileAbi.O_RDWR : FileAbi.O_WRONLY;
    if (write) {
      flags |= truncate ? FileAbi.O_TRUNC : 0;
      flags |= append ? FileAbi.O_APPEND : 0;
      flags |= createsNew ? FileAbi.O_CREAT | FileAbi.O_EXCL : 0;
      flags |= options.contains(StandardOpenOption.CREATE) ? FileAbi.O_CREAT : 0;
    }
    flags |= options.contains(StandardOpenOption.DSYNC) ? FileAbi.O_DSYNC : 0;
    flags |= options.contains(StandardOpenOption.SYNC) ? FileAbi.O_SYNC : 0;
    boolean follows = createsNew || !options.contains(LinkOption.NOFOLLOW_LINKS);
    boolean direct = options.contains(DirectAccess.DIRECT);
    return new OpenMode(flags, follows, createsNew, permissions, direct);
  }

  /** Whether it is not written. */
  boolean onlyReads() {
    return (flags & PosixAbi.O_ACCMODE) == FileAbi.O_RDONLY;
  }

  /** To open the same file once more, as it is and not direct. */
  int plainFlags() {
    return flags & ~(FileAbi.O_CREAT | FileAbi.O_EXCL | FileAbi.O_TRUNC);
  }

  /** Whether each write goes to the end. */
  boolean appends() {
    return (flags & FileAbi.O_APPEND) != 0;
  }

  /** For the kernel. */
  int flags(String architecture) {
    int all = followsLinks ? flags : flags | FileAbi.noFollow(architecture);
    return direct ? all | FileAbi.direct(architecture) : all;
  }

  /** Why the kernel did not open {@code path}. */
  FileSystemException failure(int errno, String operation, Path path) {
    if (errno == Errno.EISDIR && createsNew) {
      return new FileAlreadyExistsException(
          path.toString(), null, KernelErrors.words(operation, Errno.EEXIST));
    }
    if (errno == Errno.ELOOP && !followsLinks) {
      return new FileSystemException(
          path.toString(),
          null,
          KernelErrors.words(operation, errno) + " (NOFOLLOW_LINKS specified)");
    }
    return KernelErrors.of(errno, operation, path.toString(), null);
  }

  /** The bits that the attributes ask for; -1 if there are attributes of another kind. */
  static int permissions(int otherwise, FileAttribute<?>... attributes) {
    int mode = otherwise;
    for (FileAttribute<?> attribute : attributes) {
      if (!attribute.name().equals("posix:permissions")
          || !(attribute.value() instanceof Set<?> granted)) {
        return -1;
      }
      mode = 0;
      for (Object permission : granted) {
        if (!(permission instanceof PosixFilePermission p)) {
          return -1;
        }
        mode |= 1 << BITS.indexOf(p);
      }
    }
    return mode;
  }
}
