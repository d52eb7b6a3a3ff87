package dev.blitz.io.shutdown;

import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.task.CancelToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link WorkGuard} and what it guards. */
final class GuardedWork extends PendingWork.Entry implements WorkGuard {
  private final String name;
  private final CancelToken token;

  /** Who began it, to be looked at if it is still there at the end: a task, else a thread. */
  private final @Nullable JoinCell<?> task = Caller.task();

  private final Thread thread = Thread.currentThread();

  GuardedWork(PendingWork work, String name, CancelToken token) {
    super(work);
    this.name = name;
    this.token = token;
  }

  @Override
  public CancelToken token() {
    return token;
  }

  @Override
  public void close() {
    end();
  }

  @Override
  void cancel() {} // by its token

  @Override
  @Nullable JoinCell<?> task() {
    return task;
  }

  @Override
  List<String> describe(Map<Object, String> seen) {
    String where =
        task == null ? thread.getName() + Frames.at(thread.getStackTrace()) : seen.get(task);
    return List.of("work '" + name + "'" + (where == null ? "" : ", begun by " + where));
  }

  @Override
  public String toString() {
    return "WorkGuard[" + name + "]";
  }
}
