package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.TaskFailure;
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
 * Who looks: a worker in each tick and before it sleeps; where all sleep, the overseer wakes one now and then while there
 * are notes. One look tells of more failures than a tick has polls, so a worker that makes nothing but failures tells
 * of them faster than they come; a handler that is slow slows the worker, and nothing piles up.
 *
 * A note leaves `notes` by whoever tells it or by forget; the claim of its failure decides who tells, so it is told once.
 */
final class UnjoinedFailures {

  private static final class Note extends PhantomReference<JoinCell<?>> {
    final TaskFailure failure;
    final String what;

    Note(JoinCell<?> task, TaskFailure failure, ReferenceQueue<JoinCell<?>> queue) {
      super(task, queue);
      this.failure = failure;
      this.what = "task " + task.id() + " '" + task.name() + "', which nobody joined";
    }
  }

  private final UncaughtHandler handler;
  private final ReferenceQueue<JoinCell<?>> unreachable = new ReferenceQueue<>();
  private final Set<Note> notes = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  UnjoinedFailures(UncaughtHandler handler) {
    this.handler = handler;
  }

  /** Whether there is nothing to tell of, now or later. */
  boolean isEmpty() {
    return notes.isEmpty();
  }

  void add(JoinCell<?> task, TaskFailure failure) {
    var note = new Note(task, failure, unreachable);
    failure.setNote(note);
    notes.add(note);
    if (closed) {
      report(note); // a poll that outlived the runtime: nobody will look again
    }
  }

  void forget(TaskFailure failure) {
    if (failure.note() instanceof Note note) {
      note.clear();
      notes.remove(note);
    }
  }

  /**
   * Tells of those whose handles are gone, of so many at most that timers do not wait for long.
   * Cheap when there are none. The handler may spawn and wake tasks.
   *
   * @return whether there may be more
   */
  boolean reportUnreachable() {
    for (int i = 0; i < SchedulerTuning.FAILURES_PER_LOOK; i++) {
      Reference<? extends JoinCell<?>> gone = unreachable.poll();
      if (gone == null) {
        return false;
      }
      report((Note) gone);
    }
    return true;
  }

  /** Tells of all that are left, and from now on of each at once. */
  void reportAll() {
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
