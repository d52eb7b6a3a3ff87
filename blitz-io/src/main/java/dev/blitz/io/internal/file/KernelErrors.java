package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.Errno;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** The kernel's refusals, as {@code java.nio.file} tells them. */
final class KernelErrors {
  private KernelErrors() {}

  /**
   * What {@code errno} means; {@code other} is the second path, if there are two. The operation is
   * empty for one who adds it.
   */
  static FileSystemException of(int errno, String operation, String path, @Nullable String other) {
    String words = words(operation, errno);
    return switch (errno) {
      case Errno.ENOENT -> new NoSuchFileException(path, other, words);
      case Errno.EACCES -> new AccessDeniedException(path, other, words);
      case Errno.EEXIST -> new FileAlreadyExistsException(path, other, words);
      case Errno.ELOOP ->
          new FileSystemException(
              path, other, words + " or unable to access attributes of symbolic link");
      default -> new FileSystemException(path, other, words);
    };
  }

  static String words(String operation, int errno) {
    String said = Errno.describe(errno);
    return operation.isEmpty() ? said : operation + ": " + said;
  }
}
