package dev.blitz.io.internal.current;

import dev.blitz.io.policy.UncaughtHandler;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Failures that nobody has asked for. Each is told to the uncaught handler when its task's handle
 * has become unreachable, or at the latest when the runtime closes. Only failed tasks are here.
 */
/* Implementation notes
 *
 * Who looks: a worker in each round and before it sleeps; where all sleep, the overseer wakes one now and then while
 * there are notes. One look tells of more failures than a round has polls, so a worker that makes nothing but
 * failures tells of them faster than they come; a handler that is slow slows the worker, and nothing piles up.
 *
 * A note leaves `notes` by whoever tells it or by forget; the claim of its failure decides who tells, so it is told
 * once.
 */
public final class UnjoinedFailures {

  private static final class Note extends PhantomReference<Object> {
    final TaskFailure failure;
    final String what;

    Note(Object task, String what, TaskFailure failure, ReferenceQueue<Object> queue) {
      super(task, queue);
      this.failure = failure;
      this.what = what;
    }
  }

  private final UncaughtHandler handler;
  private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();
  private final Set<Note> notes = ConcurrentHashMap.newKeySet();
  private final Runnable kept;
  private volatile boolean closed;

  UnjoinedFailures(UncaughtHandler handler, Runnable kept) {
    this.handler = handler;
    this.kept = kept;
  }

  /** Whether there is nothing to tell of, now or later. */
  public boolean isEmpty() {
    return notes.isEmpty();
  }

  /** Keeps the failure of a task that nobody has asked for yet; {@code what} is how it is told. */
  public void add(Object task, String what, TaskFailure failure) {
    var note = new Note(task, what, failure, unreachable);
    failure.note = note;
    notes.add(note);
    if (closed) {
      report(note); // a poll that outlived the runtime: nobody will look again
    }
    kept.run();
  }

  /** Forgets such a failure: somebody has seen it. */
  public void forget(TaskFailure failure) {
    if (failure.note instanceof Note note) {
      note.clear();
      notes.remove(note);
    }
  }

  /**
   * Tells of those whose handles are gone, of {@code most}. Cheap when there are none. The handler
   * may spawn and wake tasks.
   *
   * @return whether there may be more
   */
  public boolean reportUnreachable(int most) {
    for (int i = 0; i < most; i++) {
      Reference<?> gone = unreachable.poll();
      if (gone == null) {
        return false;
      }
      report((Note) gone);
    }
    return true;
  }

  /** Tells of all that are left, and from now on of each at once. */
  public void reportAll() {
    closed = true;
    notes.forEach(this::report);
  }

  private void report(Note note) {
    notes.remove(note);
    if (note.failure.claim()) {
      Uncaught.tell(handler, note.what, note.failure.cause());
    }
  }
}
