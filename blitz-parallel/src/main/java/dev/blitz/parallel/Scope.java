package dev.blitz.parallel;

import dev.blitz.parallel.internal.ScopeCore;

/**
 * Any number of jobs that end before the scope does; jobs may spawn further jobs into it.
 *
 * <p>Thread safe: any thread may spawn while the scope is open. A failing job stops nobody; when
 * all have ended the scope throws the body's failure, or else the first job's, with the others
 * suppressed in it.
 *
 * {@snippet :
 * static void visit(Scope scope, Node node) {
 *   node.mark();
 *   for (Node next : node.neighbours()) {
 *     scope.spawn(() -> visit(scope, next));
 *   }
 * }
 * }
 */
public final class Scope {
  private final ScopeCore core;

  Scope(ScopeCore core) {
    this.core = core;
  }

  /**
   * Adds a job that some worker runs, at the latest when the scope's body has ended.
   *
   * @param job what it does; a checked exception ends up in a {@link JobFailedException}
   * @throws IllegalStateException when the scope has ended
   */
  public void spawn(Action<? extends Exception> job) {
    core.spawn(job);
  }

  /**
   * What opens a scope.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Body<X extends Exception> {
    /**
     * Runs inside the scope.
     *
     * @param scope where to spawn
     * @throws X as declared
     */
    void run(Scope scope) throws X;
  }
}
