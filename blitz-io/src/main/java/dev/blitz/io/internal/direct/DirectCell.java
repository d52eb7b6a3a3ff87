package dev.blitz.io.internal.direct;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.Schedule;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskExtras;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A direct task: its work is a lambda on a virtual thread. Everything is as for other tasks, except
 * that cancelling interrupts the thread, and that only the thread's end ends the task.
 */
/* Implementation notes
 *
 * When the runtime has closed, a task whose thread has begun is resolved as cancelled while the thread lives on (the
 * body calls it an orphan). From then on wakes bypass the word, which is COMPLETE, and go to the thread itself.
 */
public final class DirectCell<T> extends TaskCell<T> {
  private final DirectBody<T> body;

  private DirectCell(Schedule schedule, DirectBody<T> body, @Nullable TaskExtras extras) {
    super(schedule, body, extras);
    this.body = body;
  }

  /**
   * A new task, to be put into a queue.
   *
   * @param function a ThrowingSupplier or ThrowingRunnable to run, on a thread of its own
   */
  public static <T> DirectCell<T> of(
      Schedule schedule, Object function, @Nullable TaskExtras extras) {
    DirectBody<T> body = DirectBody.of(function);
    var cell = new DirectCell<T>(schedule, body, extras);
    body.bind(cell);
    return cell;
  }

  /** How thread dumps call it: as the user does, else by a name that all such tasks share. */
  String threadName() {
    return extras == null || extras.name() == null ? home().taskThreads().name() : extras.name();
  }

  @Override
  public void wake() {
    StackRoom.forWake();
    switch (wakeTransition()) {
      case ENQUEUE -> schedule.schedule(this);
      default -> {
        int lifecycle = word() & LIFECYCLE;
        if (lifecycle == COMPLETE) {
          body.wakeOrphan();
        } else if (lifecycle == RUNNING) {
          body.wakeMounted();
        }
      }
    }
  }

  @Override
  public boolean isObsolete() {
    return isComplete() && body.isEnded();
  }

  /** The JDK says that the thread can run. */
  void wakeThread(Runnable continuation) {
    switch (wakeTransition()) {
      case ENQUEUE -> schedule.schedule(this);
      default -> {
        if (isComplete()) {
          Leftovers.run(continuation);
        }
      }
    }
  }

  /** Runs the continuation of a thread that is no task but has inherited this one's scheduler. */
  void carry(Runnable continuation) {
    schedule.schedule(new ForeignContinuation(continuation));
  }

  /** Its thread, if it has one. */
  public @Nullable Thread thread() {
    return body.thread;
  }

  @Override
  public StackTraceElement[] threadStack() {
    return body.threadStack();
  }

  @Override
  protected void interrupt() {
    body.interrupt();
  }

  @Override
  protected void endedBy(Throwable t) {
    if (isCancelRequested() && isCancellation(t)) {
      endCancelled();
    } else {
      super.endedBy(t);
    }
  }

  /** What code that was interrupted ends with, as such or wrapped. */
  private static boolean isCancellation(Throwable t) {
    return Telling.anyCause(
        t,
        c ->
            c instanceof CancellationException
                || c instanceof InterruptedException
                || c instanceof InterruptedIOException
                || c instanceof ClosedByInterruptException);
  }

  @Override
  public void abandon(PollContext cx) {
    if (!hasBegun()) {
      super.abandon(cx);
      return;
    }
    cancel();
    take();
    noteOrphan();
    finishWithoutResult();
    if (body instanceof CarriedBody<T> carried) {
      carried.handToLeftovers(); // the wake that queued the cell may have been the JDK's
      carried.wakeOrphan(); // or that of what it awaits inside a shield
    }
  }

  private void noteOrphan() {
    Thread orphan = body.thread;
    if (orphan != null) {
      try {
        home().taskThreads().addOrphan(orphan);
      } catch (OutOfMemoryError e) {
        // Thread dumps miss it; the task must end all the same.
      }
    }
  }

  /** Hides the interrupt of a cancellation that is in force already. */
  @Override
  public void shield() {
    int before = enterShield();
    if ((before & (CANCELLED | SHIELD)) == CANCELLED) {
      Thread.interrupted();
    }
  }

  @Override
  public void unshield() {
    if (exitShield()) {
      Thread.currentThread().interrupt();
    }
  }
}
