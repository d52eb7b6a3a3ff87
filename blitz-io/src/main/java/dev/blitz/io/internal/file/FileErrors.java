package dev.blitz.io.internal.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import org.jspecify.annotations.Nullable;

/** The exceptions of {@code java.nio.file}, with the path and the operation. */
public final class FileErrors {
  private FileErrors() {}

  /** What {@code e} says, with what is known of the operation; the same type where there is one. */
  public static IOException told(IOException e, String operation, Object path) {
    if (e instanceof FileSystemException f) {
      FileSystemException told = retold(f, operation);
      return told == null ? f : withCause(told, f);
    }
    if (e instanceof ClosedChannelException
        || e instanceof EOFException
        || e instanceof CharacterCodingException) {
      return e;
    }
    return withCause(
        new FileSystemException(path.toString(), null, operation + ": " + e.getMessage()), e);
  }

  private static <E extends IOException> E withCause(E told, IOException cause) {
    told.initCause(cause);
    return told;
  }

  private static @Nullable FileSystemException retold(FileSystemException f, String operation) {
    String file = f.getFile();
    String other = f.getOtherFile();
    String reason = f.getReason();
    Class<?> type = f.getClass();
    if (type == NoSuchFileException.class) {
      return new NoSuchFileException(
          file, other, operation + ": " + words(reason, "No such file or directory"));
    }
    if (type == FileAlreadyExistsException.class) {
      return new FileAlreadyExistsException(
          file, other, operation + ": " + words(reason, "File exists"));
    }
    if (type == AccessDeniedException.class) {
      return new AccessDeniedException(
          file, other, operation + ": " + words(reason, "Permission denied"));
    }
    if (type == NotLinkException.class) {
      return new NotLinkException(file, other, operation + ": " + words(reason, "Not a link"));
    }
    if (type == AtomicMoveNotSupportedException.class) {
      return new AtomicMoveNotSupportedException(
          file, other, operation + ": " + words(reason, "Invalid cross-device link"));
    }
    if (type == FileSystemException.class) {
      return new FileSystemException(file, other, operation + ": " + words(reason, "failed"));
    }
    return null; // those of the other types have no room for a reason, and say all by their type
  }

  private static String words(@Nullable String reason, String otherwise) {
    return reason == null ? otherwise : reason;
  }
}
