package dev.blitz.io.fs;

import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.file.FileDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A place in a listing, which is used by threads of the lane. Entries that were fetched for one who
 * then did not wait for them are there for the next who asks.
 */
/* Implementation notes
 *
 * `lock` is held by threads of the lane while they wait for the disk; nobody else takes it, but for one who finds the
 * lane closed. It guards the stream and its iterator.
 *
 *   field     | writer                                      | reader  | mode
 *   files     | the first fetch                             | close   | volatile
 *   unclaimed | a fetch, under the lock; claimed, by the user | fetches | volatile; the user claims when no fetch is under way:
 *             |                                             |         | a fetch that was dropped has the lock before the next
 *   closed    | close                                       | anyone  | volatile
 */
final class DirectoryCursor implements LostHandles.Held {
  private static final int BATCH = 256;

  /** Opens the listing. */
  @FunctionalInterface
  interface Opening {
    /** On a thread of the lane. */
    Stream<Path> open() throws IOException;
  }

  private final String operation;
  private final Path path;
  private final Opening opening;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable FileDriver files;
  private @Nullable Stream<Path> stream;
  private @Nullable Iterator<Path> iterator;
  private volatile @Nullable List<Path> unclaimed;
  private volatile boolean closed;

  DirectoryCursor(String operation, Path path, Opening opening) {
    this.operation = operation;
    this.path = path;
    this.opening = opening;
  }

  /** The next entries; none at the end. */
  IoFuture<List<Path>> fetch(FileDriver driver) {
    FileDriver there = files;
    if (there == null) {
      files = driver;
      there = driver;
    }
    return there.call(operation, path, this::fetchNow);
  }

  private List<Path> fetchNow() throws IOException {
    lock.lock();
    try {
      List<Path> fetched = unclaimed;
      if (fetched == null) {
        fetched = closed ? List.of() : fetchMore();
        unclaimed = fetched;
      }
      return fetched;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      lock.unlock();
    }
  }

  /** What was fetched last has reached its user. */
  void claimed() {
    unclaimed = null;
  }

  private List<Path> fetchMore() throws IOException {
    Iterator<Path> from = iterator;
    if (from == null) {
      Stream<Path> opened = opening.open();
      stream = opened;
      from = opened.iterator();
      iterator = from;
    }
    List<Path> fetched = new ArrayList<>();
    while (fetched.size() < BATCH && from.hasNext()) {
      fetched.add(from.next());
    }
    return fetched;
  }

  @Override
  public boolean isOpen() {
    return files != null && !closed;
  }

  /** Closes the listing when no fetch uses it; does not wait for that. */
  @Override
  public void close() {
    closed = true;
    FileDriver there = files;
    if (there != null) {
      there.release(this::closeNow);
    }
  }

  private void closeNow() {
    lock.lock();
    try {
      unclaimed = null;
      Stream<Path> open = stream;
      stream = null;
      if (open != null) {
        open.close();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "the " + operation + " of " + path;
  }
}
