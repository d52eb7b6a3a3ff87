package dev.blitz.io.fs;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.FileDriver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A new file in the place of an old one. One visit to the lane: it ends with the new file in its
 * place, or with nothing changed and nothing left.
 */
final class Replacement {
  /** Names that no other replacement of this process has now; others' are met by CREATE_NEW. */
  private static final AtomicLong NEXT = new AtomicLong();

  private final Path target;
  private final byte[] bytes;

  private Replacement(Path target, byte[] bytes) {
    this.target = target;
    this.bytes = bytes;
  }

  static IoFuture<Done> of(FileDriver files, Path path, byte[] bytes) {
    return files.call(
        "replace",
        path,
        () -> {
          Path target = Files.isSymbolicLink(path) ? path.toRealPath() : path;
          new Replacement(target, bytes).make();
          return Done.DONE;
        });
  }

  private void make() throws IOException {
    for (; ; ) {
      Path fresh =
          target.resolveSibling("." + target.getFileName() + "." + NEXT.getAndIncrement() + ".new");
      try {
        make(fresh);
        return;
      } catch (FileAlreadyExistsException e) {
        if (!fresh.toString().equals(e.getFile())) {
          throw e;
        }
      }
    }
  }

  private void make(Path fresh) throws IOException {
    boolean made = false;
    boolean moved = false;
    try (FileChannel channel =
        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      made = true;
      keepPermissions(fresh);
      for (var rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
        channel.write(rest);
      }
      channel.force(true);
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      moved = true;
    } finally {
      if (made && !moved) {
        Files.deleteIfExists(fresh);
      }
    }
    forceDirectory();
  }

  private void keepPermissions(Path fresh) throws IOException {
    if (target.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try {
        Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(target));
      } catch (NoSuchFileException e) {
        // There is no old one: the new one has those of a new file.
      }
    }
  }

  /** So that the new name lasts too; where a directory cannot be opened, nothing can be done. */
  private void forceDirectory() {
    Path parent = target.toAbsolutePath().getParent();
    try (@Nullable FileChannel directory = parent == null ? null : FileChannel.open(parent)) {
      if (directory != null) {
        directory.force(true);
      }
    } catch (IOException e) {
      // It is in its place, and the system writes its name down when it likes.
    }
  }
}
