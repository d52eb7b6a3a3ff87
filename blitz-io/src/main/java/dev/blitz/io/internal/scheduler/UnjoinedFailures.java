package dev.blitz.io.internal.scheduler;

import dev.blitz.io.UncaughtHandler;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.TaskFailure;
import dev.blitz.io.internal.task.Uncaught;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Failures that nobody has asked for. Each is told to the uncaught handler when its task's handle
 * has become unreachable, or at the latest when the runtime closes. Only failed tasks are here.
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

  /** Tells of those whose handles are gone. Cheap when there are none. */
  void reportUnreachable() {
    Reference<? extends JoinCell<?>> gone;
    while ((gone = unreachable.poll()) != null) {
      report((Note) gone);
    }
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
