package dev.blitz.io.internal.file;

import java.time.Instant;

/**
 * What the system knows of a file.
 *
 * @param kind what it is
 * @param size in bytes
 * @param mode the permission bits; -1 if the file system has none
 * @param owner the owner's number; -1 if the file system has none
 * @param group the group's number; -1 if the file system has none
 * @param links how many names it has; 1 if the file system does not tell
 * @param device the file system it is on; with {@code inode} what it is known by; 0 if not told
 * @param inode see {@code device}
 * @param modified when its bytes changed last
 * @param accessed when it was read last
 * @param created when it was made; as {@code modified} if the file system does not tell
 */
public record FileStatus(
    Kind kind,
    long size,
    int mode,
    int owner,
    int group,
    int links,
    long device,
    long inode,
    Instant modified,
    Instant accessed,
    Instant created) {

  /** What a name may stand for. */
  public enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    OTHER
  }
}
