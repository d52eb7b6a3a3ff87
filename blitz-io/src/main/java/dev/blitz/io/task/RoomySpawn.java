package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** {@link TaskScope#spawnWhenRoom}: first a place, then the child. */
final class RoomySpawn<T> implements UncheckedFuture<JoinHandle<T>> {
  private final TaskScope scope;
  private final ScopeChild<T> child;
  private final ScopeRoom room;

  RoomySpawn(TaskScope scope, ScopeRoom room, ScopeChild<T> child) {
    this.scope = scope;
    this.child = child;
    this.room = room;
  }

  @Override
  public @Nullable JoinHandle<T> poll(Context cx) {
    try {
      StackRoom.forMany(); // from the place to the child that has it
      return room.poll(cx) == null ? null : scope.spawn(child, room);
    } catch (Throwable t) {
      room.drop(); // the child has not taken the place
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
