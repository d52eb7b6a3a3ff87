package dev.blitz.io.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Who has to enqueue or drop the task when two transitions meet: always exactly one of them. */
public class TaskStateStress {

  /** Just the word. */
  private static final class Word extends TaskState {
    Word(int initial) {
      super(initial);
    }
  }

  /** Results: what the worker, what the waker must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first, then woken")
  @Outcome(id = "ENQUEUE, NONE", expect = ACCEPTABLE, desc = "Woken while it ran")
  @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost or doubled")
  @State
  public static class WakeAgainstIdle {
    private final Word task = new Word(TaskState.RUNNING);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = task.toIdle();
    }

    @Actor
    public void waker(LL_Result r) {
      r.r2 = task.wakeTransition();
    }
  }

  /** Results: what each waker of an idle task must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "One enqueues")
  @Outcome(id = "ENQUEUE, NONE", expect = ACCEPTABLE, desc = "One enqueues")
  @Outcome(expect = FORBIDDEN, desc = "Enqueued twice or not at all")
  @State
  public static class WakeAgainstWake {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void wakerA(LL_Result r) {
      r.r1 = task.wakeTransition();
    }

    @Actor
    public void wakerB(LL_Result r) {
      r.r2 = task.wakeTransition();
    }
  }

  /** Results: what the worker, what the canceller must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first: enqueued to be dropped")
  @Outcome(id = "DROP, NOTED", expect = ACCEPTABLE, desc = "Cancelled while it ran")
  @Outcome(expect = FORBIDDEN, desc = "The cancellation was lost or acted on twice")
  @State
  public static class CancelAgainstIdle {
    private final Word task = new Word(TaskState.RUNNING);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = task.toIdle();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** The worker leaves a shield and suspends. Results: as above. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first: enqueued to be dropped")
  @Outcome(id = "DROP, NOTED", expect = ACCEPTABLE, desc = "Cancelled under or after the shield")
  @Outcome(expect = FORBIDDEN, desc = "The cancellation was lost or acted on twice")
  @State
  public static class CancelAgainstEndOfShield {
    private final Word task = new Word(TaskState.RUNNING | TaskState.SHIELD_ONE);

    @Actor
    public void worker(LL_Result r) {
      task.exitShield();
      r.r1 = task.toIdle();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** Results: what each canceller of an idle task is told. */
  @JCStressTest
  @Outcome(id = "ENQUEUE, REFUSED", expect = ACCEPTABLE, desc = "The first one asked")
  @Outcome(id = "REFUSED, ENQUEUE", expect = ACCEPTABLE, desc = "The first one asked")
  @Outcome(expect = FORBIDDEN, desc = "Both or neither asked")
  @State
  public static class CancelAgainstCancel {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void cancellerA(LL_Result r) {
      r.r1 = task.cancelTransition();
    }

    @Actor
    public void cancellerB(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** Results: what the waker, what the canceller of an idle task must do. */
  @JCStressTest
  @Outcome(id = "ENQUEUE, NOTED", expect = ACCEPTABLE, desc = "Woken first")
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Cancelled first")
  @Outcome(expect = FORBIDDEN, desc = "Enqueued twice or not at all")
  @State
  public static class WakeAgainstCancel {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void waker(LL_Result r) {
      r.r1 = task.wakeTransition();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /**
   * A direct task is cancelled while its thread goes through a shield. Results: whether an
   * interrupt that the shield does not know of was there inside it; whether it was there
   * afterwards.
   */
  @JCStressTest
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Before the shield, or put off")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "Cancelled after it all")
  @Outcome(expect = FORBIDDEN, desc = "The interrupt landed inside the shield")
  @State
  public static class InterruptAgainstShield {
    private final Word task = new Word(TaskState.RUNNING | TaskState.DIRECT);
    private volatile boolean interrupted;

    @Actor
    public void thread(LL_Result r) {
      int before = task.enterShield();
      if ((before & TaskState.CANCELLED) != 0) {
        interrupted = false; // the shield hides what it knows of
      }
      r.r1 = interrupted;
      if (task.exitShield()) {
        interrupted = true;
      }
      r.r2 = interrupted;
    }

    @Actor
    public void canceller() {
      if (task.cancelTransition() == TaskState.CancelRequest.INTERRUPT) {
        interrupted = true;
        task.endInterrupting();
      }
    }
  }

  /** A direct task is cancelled as its thread begins. Results: whether it begins; what to do. */
  @JCStressTest
  @Outcome(id = "true, INTERRUPT", expect = ACCEPTABLE, desc = "Begun first: interrupted")
  @Outcome(id = "false, NOTED", expect = ACCEPTABLE, desc = "Cancelled first: never begins")
  @Outcome(expect = FORBIDDEN, desc = "It runs without hearing of its cancellation")
  @State
  public static class CancelAgainstBegin {
    private final Word task = new Word(TaskState.RUNNING);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = task.beginDirect();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }
}
