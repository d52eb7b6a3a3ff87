package dev.blitz.io.fs;

import dev.blitz.io.future.Done;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** {@link FileTree#deleteAll}: what is in a directory, then the directory. */
final class TreeDeletion extends SimpleFileVisitor<Path> {
  private TreeDeletion() {}

  static Done of(Path root) throws IOException {
    Files.walkFileTree(root, new TreeDeletion());
    return Done.DONE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Files.deleteIfExists(file);
    return FileVisitResult.CONTINUE;
  }

  /** What others have deleted meanwhile is gone, which is what was asked for. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
      throws IOException {
    if (e != null) {
      throw e;
    }
    Files.deleteIfExists(directory);
    return FileVisitResult.CONTINUE;
  }
}
