package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** {@link TaskScope#spawnWhenRoom}: first a place, then the child. */
final class RoomySpawn<T> implements UncheckedFuture<JoinHandle<T>> {
  private final TaskScope scope;
  private final Future<? extends T> child;
  private final ScopeRoom room;

  RoomySpawn(TaskScope scope, ScopeRoom room, Future<? extends T> child) {
    this.scope = scope;
    this.child = child;
    this.room = room;
  }

  @Override
  public @Nullable JoinHandle<T> poll(Context cx) {
    try {
      if (room.poll(cx) == null) {
        return null;
      }
      room.granted = false; // the child has the place now
      return scope.spawnGranted(child);
    } catch (Throwable t) {
      SafeCalls.drop(child); // nobody else will
      throw t;
    }
  }

  @Override
  public void drop() {
    room.drop();
    SafeCalls.drop(child);
  }

  @Override
  public String toString() {
    return room.toString();
  }
}
