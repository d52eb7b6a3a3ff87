package dev.blitz.io.task;

import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.internal.task.Owned;
import dev.blitz.io.internal.task.TaskExtras;
import java.util.Objects;

/**
 * How a task is to be spawned, besides what it does. Implemented by Blitz only.
 *
 * {@snippet :
 * TcpStream stream = listener.accept().await();
 * Task.spawn(SpawnOptions.owning(stream), () -> serve(stream));
 * }
 */
public interface SpawnOptions {

  /**
   * The task owns {@code resources}: they are closed exactly once, however it ends, and also if it
   * is cancelled before its first turn, when a try block inside it would never have been entered.
   * From the call of {@code spawn} on they belong to the task: if that throws, they have been
   * closed too.
   *
   * <p>They are closed as by a try block around the task's code: the last one first; on the thread
   * of a direct or blocking task, where {@code close()} may wait, or in the poll that ends the
   * future; before anybody sees the task's end. If the code has failed, failures of {@code close()}
   * are suppressed in that; if it has not, the first one fails the task. Those of a task that was
   * cancelled before its first turn, or given up by a close of the runtime whose time was up, are
   * closed by a thread of the runtime, or for a blocking task by the one that cancels; failures
   * then go to the uncaught handler.
   *
   * <p>The options are for one spawn.
   */
  static SpawnOptions owning(AutoCloseable... resources) {
    return new TaskExtras(null, new Owned(resources), null);
  }

  /** The task has a name, for dumps and logs; the thread of a direct task has it too. */
  static SpawnOptions named(String name) {
    return new TaskExtras(Objects.requireNonNull(name, "name"));
  }

  /**
   * Cancelling the blocking task calls {@code action} instead of interrupting its thread: for calls
   * that an interrupt does not reach, or would harm. JDBC is the case in point:
   *
   * {@snippet :
   * JoinHandle<Report> report =
   *     scope.spawnBlocking(SpawnOptions.onCancel(statement::cancel), () -> read(statement.executeQuery()));
   * }
   *
   * <p>The action is called at most once, on a thread of its own, where it may block, and only
   * while the call runs: nobody sees the task's end before the action has returned, so a statement
   * or connection that is used again afterwards is not hit by it. A task that is cancelled before
   * its turn ends without either. What the call throws because of the action counts as the
   * cancellation; what the action throws reaches the uncaught handler. If no thread can be had for
   * it, the handler is told, and the next cancel tries again. Only for {@code spawnBlocking}; other
   * spawns refuse it.
   */
  static SpawnOptions onCancel(ThrowingRunnable action) {
    return new TaskExtras(null, null, Objects.requireNonNull(action, "action"));
  }

  /**
   * Both, such as {@code owning(stream).and(named("client 7"))}: the name of {@code other} if it
   * has one, all that either owns, and the cancel action that one of them has. These options and
   * {@code other} are used up with the new ones.
   */
  SpawnOptions and(SpawnOptions other);
}
