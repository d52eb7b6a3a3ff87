package dev.blitz.io.fs;

import java.nio.file.Path;

/**
 * A change of what is in a directory, see {@link FileTree#watch}.
 *
 * @param kind what has happened
 * @param path to which entry; the directory itself if changes were lost
 */
public record FileChange(Kind kind, Path path) {

  /** What has happened. */
  public enum Kind {
    /** It is new there, or was moved there. */
    CREATED,

    /** Its bytes or its attributes are others; several changes may be told as one. */
    MODIFIED,

    /** It was deleted, or moved elsewhere. */
    DELETED,

    /** More has happened than could be kept: look for yourself. */
    LOST
  }
}
