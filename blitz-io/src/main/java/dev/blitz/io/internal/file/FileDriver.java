package dev.blitz.io.internal.file;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * Files of one runtime: what opens them, and does what needs no open file. Thread safe. The futures
 * fail with the exceptions of {@code java.nio.file}, and begin with their first poll.
 */
public interface FileDriver {

  /** Opens, as {@link java.nio.channels.FileChannel#open}. */
  IoFuture<OpenFile> open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes);

  /** What the system knows of a file. */
  IoFuture<FileStatus> status(Path path, boolean followLinks);

  /**
   * All bytes of a file: inside the poll where that can be done, else by {@code otherwise}, on a
   * thread that may wait.
   */
  IoFuture<byte[]> readAll(Path path, int limit, Call<byte[]> otherwise);

  /** Begins to watch a directory. */
  IoFuture<DirectoryChanges> watch(Path directory);

  /** As {@link java.nio.file.Files#createDirectory}. */
  IoFuture<Done> createDirectory(Path directory, FileAttribute<?>... attributes);

  /** As {@link java.nio.file.Files#delete}. */
  IoFuture<Done> delete(Path path);

  /** As {@link java.nio.file.Files#move} with ATOMIC_MOVE. */
  IoFuture<Done> rename(Path source, Path target);

  /** As {@link java.nio.file.Files#createLink}. */
  IoFuture<Done> link(Path link, Path existing);

  /** As {@link java.nio.file.Files#createSymbolicLink}. */
  IoFuture<Done> symbolicLink(Path link, Path target);

  /** Something that blocks. */
  @FunctionalInterface
  interface Call<T> {
    /** Makes the call, on a thread that may wait. */
    T make() throws IOException;
  }

  /** Closes a result that nobody has taken. */
  @FunctionalInterface
  interface Discard<T> {
    /** Never throws. */
    void close(T result);
  }

  /**
   * Makes a call on the lane of files.
   *
   * @param operation what it is, for the message of a failure
   * @param path what it is about, likewise
   */
  default <T> IoFuture<T> call(String operation, Path path, Call<? extends T> call) {
    return call(operation, path, call, result -> {});
  }

  /** As above; a result of a dropped future is given to {@code discard}. */
  <T> IoFuture<T> call(
      String operation, Path path, Call<? extends T> call, Discard<? super T> discard);

  /**
   * As {@link #call}, of one that opens {@code path}: if that is a FIFO it may wait for ever, and
   * does so where it keeps no file waiting.
   */
  <T> IoFuture<T> callOpening(String operation, Path path, Call<? extends T> call);

  /** Has {@code call}, which closes something, made where it may wait; it never throws. */
  void release(Runnable call);
}
