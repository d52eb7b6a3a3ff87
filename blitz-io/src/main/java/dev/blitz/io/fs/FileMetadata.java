package dev.blitz.io.fs;

import dev.blitz.io.internal.file.FileStatus;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the system knows of a file: size, kind, times, permissions. A value; two are equal if all
 * is.
 */
public final class FileMetadata implements BasicFileAttributes {
  /** In the order of the bits, lowest first. */
  private static final PosixFilePermission[] BITS = {
    PosixFilePermission.OTHERS_EXECUTE,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_READ
  };

  private final FileStatus status;

  FileMetadata(FileStatus status) {
    this.status = status;
  }

  @Override
  public long size() {
    return status.size();
  }

  @Override
  public boolean isRegularFile() {
    return status.kind() == FileStatus.Kind.FILE;
  }

  @Override
  public boolean isDirectory() {
    return status.kind() == FileStatus.Kind.DIRECTORY;
  }

  @Override
  public boolean isSymbolicLink() {
    return status.kind() == FileStatus.Kind.LINK;
  }

  @Override
  public boolean isOther() {
    return status.kind() == FileStatus.Kind.OTHER;
  }

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.from(status.modified());
  }

  @Override
  public FileTime lastAccessTime() {
    return FileTime.from(status.accessed());
  }

  @Override
  public FileTime creationTime() {
    return FileTime.from(status.created());
  }

  /** What is equal for two names of one file; null if the file system does not tell. */
  @Override
  public @Nullable Object fileKey() {
    return status.inode() == 0 ? null : new Key(status.device(), status.inode());
  }

  private record Key(long device, long inode) {}

  /**
   * Who may do what.
   *
   * @throws UnsupportedOperationException if the file system has no such permissions
   */
  public Set<PosixFilePermission> permissions() {
    int mode = required(status.mode());
    Set<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < BITS.length; bit++) {
      if ((mode & 1 << bit) != 0) {
        granted.add(BITS[bit]);
      }
    }
    return Collections.unmodifiableSet(granted);
  }

  /**
   * The number of the owner.
   *
   * @throws UnsupportedOperationException if the file system has none
   */
  public int ownerId() {
    return required(status.owner());
  }

  /**
   * The number of the group.
   *
   * @throws UnsupportedOperationException if the file system has none
   */
  public int groupId() {
    return required(status.group());
  }

  /** How many names it has; 1 where that is not told. */
  public int links() {
    return status.links();
  }

  private static int required(int value) {
    if (value == -1) {
      throw new UnsupportedOperationException("the file system knows no owners and permissions");
    }
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileMetadata o && o.status.equals(status);
  }

  @Override
  public int hashCode() {
    return status.hashCode();
  }

  @Override
  public String toString() {
    return status.toString().replaceFirst("FileStatus", "FileMetadata");
  }
}
