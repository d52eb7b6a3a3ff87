package dev.blitz.io.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.internal.task.TaskState.Action;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IL_Result;

/**
 * What a waker wrote is seen by the last poll, or the waker is told to enqueue the task, so that
 * another poll comes. Also where the wake-up finds the task notified already and changes nothing.
 */
public class WakePublicationStress {
  /** A task whose poll reads a plain field; with the result of its last poll. */
  private static final class Reader extends TaskState {
    private int data;

    Reader(int initial) {
      super(initial);
    }

    /** Polls until the task is idle. */
    int runUntilIdle() {
      toRunning();
      return suspendUntilIdle();
    }

    /** The same for a task that is running and has read nothing yet. */
    int suspendUntilIdle() {
      int seen = data;
      while (toIdle() == Action.ENQUEUE) {
        resume();
        seen = data;
      }
      return seen;
    }

    /** The same for one that is held. */
    int resumeUntilIdle() {
      resume();
      return suspendUntilIdle();
    }

    Action writeAndWake() {
      data = 1;
      return wakeTransition();
    }
  }

  /** Results: what the last poll saw; what the waker must do. */
  @JCStressTest
  @Outcome(id = "0, NONE", expect = FORBIDDEN, desc = "The wake-up was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen, or another poll will see it")
  @State
  public static class Scheduled {
    private final Reader task = new Reader(TaskState.SCHEDULED);

    @Actor
    public void worker(IL_Result r) {
      r.r1 = task.runUntilIdle();
    }

    @Actor
    public void waker(IL_Result r) {
      r.r2 = task.writeAndWake();
    }
  }

  /** The task has been woken before. */
  @JCStressTest
  @Outcome(id = "0, NONE", expect = FORBIDDEN, desc = "The wake-up was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen, or another poll will see it")
  @State
  public static class ScheduledAndNotified {
    private final Reader task = new Reader(TaskState.SCHEDULED | TaskState.NOTIFIED);

    @Actor
    public void worker(IL_Result r) {
      r.r1 = task.runUntilIdle();
    }

    @Actor
    public void waker(IL_Result r) {
      r.r2 = task.writeAndWake();
    }
  }

  /** The task is in a poll and has been woken before. */
  @JCStressTest
  @Outcome(id = "0, NONE", expect = FORBIDDEN, desc = "The wake-up was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen, or another poll will see it")
  @State
  public static class RunningAndNotified {
    private final Reader task = new Reader(TaskState.RUNNING | TaskState.NOTIFIED);

    @Actor
    public void worker(IL_Result r) {
      r.r1 = task.suspendUntilIdle();
    }

    @Actor
    public void waker(IL_Result r) {
      r.r2 = task.writeAndWake();
    }
  }

  /** The task is held: in a queue, with the word of a running one. */
  @JCStressTest
  @Outcome(id = "0, NONE", expect = FORBIDDEN, desc = "The wake-up was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen, or another poll will see it")
  @State
  public static class Held {
    private final Reader task = new Reader(TaskState.RUNNING);

    @Actor
    public void worker(IL_Result r) {
      r.r1 = task.resumeUntilIdle();
    }

    @Actor
    public void waker(IL_Result r) {
      r.r2 = task.writeAndWake();
    }
  }
}
