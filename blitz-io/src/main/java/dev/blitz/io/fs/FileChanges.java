package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.file.DirectoryChanges;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link FileTree#watch}. */
final class FileChanges extends Pulled<FileChange> {
  private final Path directory;
  private final DirectoryChanges changes;
  private final Cleaner.Cleanable lost;
  private List<DirectoryChanges.Change> fetched = List.of();
  private int next;

  private FileChanges(Path directory, DirectoryChanges changes) {
    this.directory = directory;
    this.changes = changes;
    lost = LostHandles.watch(this, changes, "watch of a directory");
  }

  /** The owner of {@code changes}, which is closed if there is no memory for one. */
  static FileChanges owning(Path directory, DirectoryChanges changes) {
    try {
      return new FileChanges(directory, changes);
    } catch (Throwable t) {
      changes.close();
      throw t;
    }
  }

  @Override
  @Nullable FileChange advance(Context cx) throws IOException {
    if (!cx.proceed()) {
      return null;
    }
    if (next == fetched.size()) {
      List<DirectoryChanges.Change> more = changes.poll(cx.waker());
      if (more == null) {
        cx.refund();
        return null;
      }
      fetched = more;
      next = 0;
      if (more.isEmpty()) {
        close();
        return null;
      }
    }
    DirectoryChanges.Change change = fetched.get(next++);
    Path path = change.name();
    return new FileChange(
        FileChange.Kind.valueOf(change.kind().name()), path == null ? directory : path);
  }

  @Override
  void forget() {
    changes.forget();
  }

  @Override
  void giveBack() {
    fetched = List.of();
    next = 0;
    changes.close();
    lost.clean();
  }

  @Override
  public String toString() {
    return "the changes in " + directory;
  }
}
