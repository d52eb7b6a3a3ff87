package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** By the means of the JDK: a thread waits for the changes, until the service is closed. */
final class ServiceChanges implements DirectoryChanges {
  private final Path directory;
  private final WatchService service;
  private final Function<FileDriver.Call<List<Change>>, IoFuture<List<Change>>> lane;
  private final Consumer<ServiceChanges> whenClosed;
  private final WakerSlot waiting = new WakerSlot();
  private @Nullable IoFuture<List<Change>> taking;

  /** The directory is; written by a take, read after its end. */
  private boolean gone;

  private volatile boolean closed;

  /** Owns {@code service}, which watches {@code directory}; {@code lane} makes calls that wait. */
  ServiceChanges(
      Path directory,
      WatchService service,
      Function<FileDriver.Call<List<Change>>, IoFuture<List<Change>>> lane,
      Consumer<ServiceChanges> whenClosed) {
    this.directory = directory;
    this.service = service;
    this.lane = lane;
    this.whenClosed = whenClosed;
  }

  /** Changes that were taken for a poll which was then forgotten are there for the next. */
  @Override
  public @Nullable List<Change> poll(Waker waker) throws IOException {
    IoFuture<List<Change>> now = taking;
    if (now == null) {
      if (gone) {
        return List.of(); // a key that is not valid is never queued again
      }
      now = lane.apply(this::take);
      taking = now;
    }
    waiting.set(waker);
    boolean over = true;
    try {
      List<Change> changes = now.poll(Context.of(waiting::wake));
      over = changes != null;
      return changes;
    } finally {
      if (over) {
        taking = null;
        waiting.clear();
      }
    }
  }

  private List<Change> take() {
    List<Change> changes = new ArrayList<>();
    try {
      for (boolean valid = true; valid && changes.isEmpty(); ) {
        WatchKey key = service.take();
        key.pollEvents().forEach(event -> changes.add(change(event)));
        valid = key.reset();
        gone = !valid;
      }
    } catch (ClosedWatchServiceException | InterruptedException e) {
      // The end: closed, or its runtime is.
    }
    return changes;
  }

  private Change change(WatchEvent<?> event) {
    if (!(event.context() instanceof Path name)) {
      return new Change(Kind.LOST, null);
    }
    Kind kind =
        event.kind() == StandardWatchEventKinds.ENTRY_CREATE
            ? Kind.CREATED
            : event.kind() == StandardWatchEventKinds.ENTRY_DELETE ? Kind.DELETED : Kind.MODIFIED;
    return new Change(kind, directory.resolve(name));
  }

  /** The thread goes on to wait. */
  @Override
  public void forget() {
    waiting.clear();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
    whenClosed.accept(this);
    try {
      service.close();
    } catch (IOException e) {
      FailureLog.log("closing the watch of " + directory, e);
    }
  }
}
