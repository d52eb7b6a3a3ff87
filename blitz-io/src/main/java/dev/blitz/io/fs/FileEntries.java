package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.LostHandles;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names in directories, fetched some at a time. */
final class FileEntries extends Pulled<Path> {
  private final DirectoryCursor cursor;
  private final Cleaner.Cleanable lost;
  private FileHost<List<Path>> fetching;
  private List<Path> entries = List.of();
  private int next;

  FileEntries(DirectoryCursor cursor) {
    this.cursor = cursor;
    fetching = FileHost.on(cursor::fetch); // of the runtime where this is made
    lost = LostHandles.watch(this, cursor, "listing of a directory");
  }

  @Override
  @Nullable Path advance(Context cx) throws IOException {
    while (next == entries.size()) {
      List<Path> fetched = fetch(cx);
      if (fetched == null) {
        return null;
      }
      if (fetched.isEmpty()) {
        close();
        return null;
      }
      cursor.claimed();
      entries = fetched;
      next = 0;
    }
    return cx.proceed() ? entries.get(next++) : null;
  }

  private @Nullable List<Path> fetch(Context cx) throws IOException {
    boolean pending = false;
    try {
      List<Path> fetched = fetching.poll(cx);
      pending = fetched == null;
      return fetched;
    } finally {
      if (!pending) {
        fetching = fetching.again();
      }
    }
  }

  /** What is being fetched stays with the cursor. */
  @Override
  void forget() {
    FileHost<List<Path>> now = fetching;
    now.drop(); // first: one that overflows can be made again
    fetching = now.again();
  }

  @Override
  void giveBack() {
    forget();
    entries = List.of();
    next = 0;
    cursor.close();
    lost.clean();
  }

  @Override
  public String toString() {
    return cursor.toString();
  }
}
