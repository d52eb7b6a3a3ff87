package dev.blitz.io.fs;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.FileDriver;
import dev.blitz.io.stream.IoSource;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of files: directories, links, renames, copies, metadata. What {@link Files} does, without
 * blocking a worker; the options and the exceptions are the same.
 *
 * {@snippet :
 * FileTree.createDirectories(target).await();
 * try (var names = FileTree.list(source)) {
 *   for (Path name : names) {
 *     FileTree.copy(name, target.resolve(name.getFileName())).await();
 *   }
 * }
 * }
 *
 * <p>An operation that is dropped before its first poll is not done; one that is dropped later may
 * be done all the same.
 */
public final class FileTree {
  private FileTree() {}

  private static <T> IoFuture<T> call(
      String operation, Path path, FileDriver.Call<? extends T> call) {
    Objects.requireNonNull(path, "path");
    return FileHost.watched(files -> files.call(operation, path, call));
  }

  // --- What is there ---

  /** What the system knows of a file; of what a link leads to, unless the options say otherwise. */
  @CheckReturnValue
  public static IoFuture<FileMetadata> metadata(Path path, LinkOption... options) {
    Objects.requireNonNull(path, "path");
    boolean follow = !Set.of(options).contains(LinkOption.NOFOLLOW_LINKS);
    return FileHost.watched(files -> files.status(path, follow).map(FileMetadata::new));
  }

  /**
   * Whether there is a file, as far as may be seen; a link to nothing is none, unless asked for.
   */
  @CheckReturnValue
  public static IoFuture<Boolean> exists(Path path, LinkOption... options) {
    return metadata(path, options).map(found -> true).recover(FileTree::notThere);
  }

  private static boolean notThere(Exception e) throws Exception {
    if (e instanceof IOException) {
      return false;
    }
    throw e;
  }

  /** Whether two names stand for one file. */
  @CheckReturnValue
  public static IoFuture<Boolean> isSame(Path path, Path other) {
    return call("compare", path, () -> Files.isSameFile(path, other));
  }

  /** Where a path leads, absolute and without links, as {@link Path#toRealPath}. */
  @CheckReturnValue
  public static IoFuture<Path> realPath(Path path, LinkOption... options) {
    LinkOption[] given = options.clone();
    return call("real path", path, () -> path.toRealPath(given));
  }

  /** What a symbolic link says. */
  @CheckReturnValue
  public static IoFuture<Path> readLink(Path link) {
    return call("read link", link, () -> Files.readSymbolicLink(link));
  }

  // --- Directories ---

  /** The entries of a directory, in no order, without what is in them. */
  @SuppressWarnings("StreamResourceLeak") // the cursor closes it
  public static IoSource<Path> list(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return new FileEntries(new DirectoryCursor("list", directory, () -> Files.list(directory)));
  }

  /** As {@link #walk(Path, int, FileVisitOption...)}, to the bottom, without following links. */
  public static IoSource<Path> walk(Path root) {
    return walk(root, Integer.MAX_VALUE);
  }

  /** A tree, each directory before what is in it, as {@link Files#walk}. */
  @SuppressWarnings("StreamResourceLeak") // as above
  public static IoSource<Path> walk(Path root, int depth, FileVisitOption... options) {
    Objects.requireNonNull(root, "root");
    FileVisitOption[] given = options.clone();
    return new FileEntries(new DirectoryCursor("walk", root, () -> Files.walk(root, depth, given)));
  }

  /**
   * Watches a directory: what is made, changed, moved and deleted in it, not in directories below
   * it, from when this is done. The changes come in the order in which they happened, and end when
   * the directory is deleted, or they are closed. Of a user who does not keep up some thousands are
   * kept, then {@link FileChange.Kind#LOST} tells.
   *
   * {@snippet :
   * try (var changes = FileTree.watch(directory).await()) {
   *   for (FileChange change : changes) {
   *     reload(change.path());
   *   }
   * }
   * }
   */
  @CheckReturnValue
  public static IoFuture<IoSource<FileChange>> watch(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return FileHost.watched(
        files -> files.watch(directory).map(changes -> FileChanges.owning(directory, changes)));
  }

  /** Makes a directory, in one that is there. */
  @CheckReturnValue
  public static IoFuture<Done> createDirectory(Path directory, FileAttribute<?>... attributes) {
    Objects.requireNonNull(directory, "directory");
    FileAttribute<?>[] given = attributes.clone();
    return FileHost.watched(files -> files.createDirectory(directory, given));
  }

  /** Makes a directory and those above it, as far as they are not there. */
  @CheckReturnValue
  public static IoFuture<Done> createDirectories(Path directory, FileAttribute<?>... attributes) {
    FileAttribute<?>[] given = attributes.clone();
    return call(
        "create directories",
        directory,
        () -> {
          Files.createDirectories(directory, given);
          return Done.DONE;
        });
  }

  /** Deletes a file, a link or an empty directory. */
  @CheckReturnValue
  public static IoFuture<Done> delete(Path path) {
    Objects.requireNonNull(path, "path");
    return FileHost.watched(files -> files.delete(path));
  }

  /** The same; false if there was none. */
  @CheckReturnValue
  public static IoFuture<Boolean> deleteIfExists(Path path) {
    return delete(path).map(done -> true).recover(FileTree::wasNotThere);
  }

  private static boolean wasNotThere(Exception e) throws Exception {
    if (e instanceof NoSuchFileException) {
      return false;
    }
    throw e;
  }

  /**
   * Deletes a tree; links in it, not what they lead to. What cannot be deleted fails it, and the
   * rest stays. Nothing happens if there is none.
   */
  @CheckReturnValue
  public static IoFuture<Done> deleteAll(Path root) {
    return call("delete all", root, () -> TreeDeletion.of(root));
  }

  // --- Other places ---

  /**
   * Gives a file another name at once, in the place of what has it: as an atomic {@link
   * Files#move}.
   */
  @CheckReturnValue
  public static IoFuture<Done> rename(Path source, Path target) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(target, "target");
    return FileHost.watched(files -> files.rename(source, target));
  }

  /** As {@link Files#move}: to another file system too, if need be by a copy. */
  @CheckReturnValue
  public static IoFuture<Done> move(Path source, Path target, CopyOption... options) {
    Objects.requireNonNull(target, "target");
    CopyOption[] given = options.clone();
    return call(
        "move",
        source,
        () -> {
          Files.move(source, target, given);
          return Done.DONE;
        });
  }

  /** As {@link Files#copy(Path, Path, CopyOption...)}; inside the system where it can. */
  @CheckReturnValue
  public static IoFuture<Done> copy(Path source, Path target, CopyOption... options) {
    Objects.requireNonNull(target, "target");
    CopyOption[] given = options.clone();
    return call(
        "copy",
        source,
        () -> {
          Files.copy(source, target, given);
          return Done.DONE;
        });
  }

  /** Another name for a file. */
  @CheckReturnValue
  public static IoFuture<Done> createLink(Path link, Path existing) {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(existing, "existing");
    return FileHost.watched(files -> files.link(link, existing));
  }

  /** A name that leads to another, which need not be there. */
  @CheckReturnValue
  public static IoFuture<Done> createSymbolicLink(Path link, Path target) {
    Objects.requireNonNull(link, "link");
    Objects.requireNonNull(target, "target");
    return FileHost.watched(files -> files.symbolicLink(link, target));
  }

  // --- Temporary ones ---

  /**
   * A new empty file with a name of its own; in the system's place for such, if the directory is
   * null.
   */
  @CheckReturnValue
  public static IoFuture<Path> createTemporaryFile(
      @Nullable Path directory, String prefix, String suffix, FileAttribute<?>... attributes) {
    FileAttribute<?>[] given = attributes.clone();
    return call(
        "create temporary file",
        directory == null ? Path.of(prefix + suffix) : directory,
        () ->
            directory == null
                ? Files.createTempFile(prefix, suffix, given)
                : Files.createTempFile(directory, prefix, suffix, given));
  }

  /** A new empty directory, likewise. */
  @CheckReturnValue
  public static IoFuture<Path> createTemporaryDirectory(
      @Nullable Path directory, String prefix, FileAttribute<?>... attributes) {
    FileAttribute<?>[] given = attributes.clone();
    return call(
        "create temporary directory",
        directory == null ? Path.of(prefix) : directory,
        () ->
            directory == null
                ? Files.createTempDirectory(prefix, given)
                : Files.createTempDirectory(directory, prefix, given));
  }

  // --- Metadata ---

  /** Sets who may do what. */
  @CheckReturnValue
  public static IoFuture<Done> setPermissions(Path path, Set<PosixFilePermission> permissions) {
    Set<PosixFilePermission> wanted = Set.copyOf(permissions);
    return call(
        "set permissions",
        path,
        () -> {
          Files.setPosixFilePermissions(path, wanted);
          return Done.DONE;
        });
  }

  /** Sets when it was changed and read last; what is null stays. */
  @CheckReturnValue
  public static IoFuture<Done> setTimes(
      Path path, @Nullable FileTime modified, @Nullable FileTime accessed) {
    return call(
        "set times",
        path,
        () -> {
          Files.getFileAttributeView(path, BasicFileAttributeView.class)
              .setTimes(modified, accessed, null);
          return Done.DONE;
        });
  }
}
