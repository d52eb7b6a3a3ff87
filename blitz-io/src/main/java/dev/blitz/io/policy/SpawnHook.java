package dev.blitz.io.policy;

import org.jspecify.annotations.Nullable;

/**
 * Carries what lives in thread-locals, such as a logging context or a trace, from the one who
 * spawns a task to the task. Set with {@link dev.blitz.io.RuntimeBuilder#spawnHook}; a runtime
 * without one pays nothing.
 *
 * {@snippet :
 * final class MdcHook implements SpawnHook {
 *   public Object capture() {
 *     return MDC.getCopyOfContextMap(); // null: nothing to carry
 *   }
 *
 *   public Scope restore(Object captured) {
 *     var before = MDC.getCopyOfContextMap();
 *     MDC.setContextMap((Map<String, String>) captured);
 *     return () -> MDC.setContextMap(before);
 *   }
 * }
 * }
 *
 * <p>Called on many threads at once; must neither block nor wait. For values of one's own prefer
 * {@link dev.blitz.io.task.TaskLocal}, which needs no hook.
 */
public interface SpawnHook {

  /**
   * Takes a copy of the context of the calling thread, which is about to spawn a task or a blocking
   * task. What it throws is thrown by the spawn.
   *
   * @return what to restore, or null if there is nothing
   */
  @Nullable Object capture();

  /**
   * Puts what was captured in force on the calling thread, before a poll or the drop of the task,
   * or before the call of a blocking task. The task's {@link dev.blitz.io.task.TaskLocal}s are
   * bound already. What it throws fails the task.
   *
   * @param captured what {@link #capture} returned when the task was spawned
   * @return how to undo it
   */
  Scope restore(Object captured);

  /** A captured context in force. */
  @FunctionalInterface
  interface Scope extends AutoCloseable {
    /**
     * Puts back what was in force before; called on the same thread, after the poll has returned or
     * thrown. What it throws reaches the uncaught handler.
     */
    @Override
    void close();
  }
}
