package dev.blitz.io.internal.task;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state word of a task: lifecycle, flags and shield depth in one int.
 *
 * <pre>
 *  FROM        TO          trigger              actor                what the actor must do next
 *  IDLE        SCHEDULED   wake                 any thread           enqueue the task
 *  IDLE        SCHEDULED   cancel, unshielded   any thread           enqueue it, so that a worker drops it
 *  SCHEDULED   SCHEDULED+N wake                 any thread           nothing
 *  SCHEDULED   RUNNING     toRunning, clears N  the worker           poll, or drop when cancelled
 *  RUNNING     RUNNING+N   wake                 any thread           nothing
 *  RUNNING     IDLE        toIdle               the worker           nothing: it may not touch the task again
 *  RUNNING+N   unchanged   toIdle               the worker           enqueue at the ring's tail, held
 *  RUNNING     unchanged   toHeld               the worker           the same
 *  RUNNING     RUNNING     resume, clears N     the worker           poll, or drop when cancelled
 *  RUNNING+C   RUNNING     toIdle, unshielded   the worker           drop the future, then complete
 *  RUNNING     COMPLETE    complete             the worker           wake those who wait
 *  IDLE+C      SCHEDULED   endShield, the last  any thread           enqueue it, so that a worker drops it
 *
 *  of a direct task, whose thread has begun (D); any lifecycle but COMPLETE:
 *  RUNNING     RUNNING+D   beginDirect          the worker           start the thread
 *  D           D+C+I       cancel, unshielded   any thread           interrupt the thread, then endInterrupting
 *  D+C+I       D+C         endInterrupting      the same thread      nothing
 *  D           D+C         cancel, shielded     any thread           nothing: the end of the shield interrupts
 *  D           D+shield    enterShield, not I   the task's thread    hide the interrupt status if C
 *  D+N         D           clearNotified        the task's thread    poll what it awaits
 *  D+C+shield  D+C         exitShield           the task's thread    interrupt itself
 *  D+C+shield  D+C+I       endShield, the last  any thread           interrupt the thread, then endInterrupting
 * </pre>
 *
 * N = notified, C = cancelled, D = direct, I = interrupting. Flags are only ever added to a word
 * that is not COMPLETE, except for {@code detached}, which may come late. A direct task is never
 * dropped once it has begun: its thread ends it.
 */
/* Implementation notes
 *
 * Orderings. Every transition is one successful compareAndSet (volatile RMW) on `state`.
 *   state | wake()      | toRunning, toIdle | RMW / RMW | what the waker wrote is seen by the next poll
 *   state | complete()  | joiners           | RMW / acquire read | the result is seen with COMPLETE
 * wake() does an RMW even where the word does not change (already notified). A mere read could be
 * ordered before the waker's own writes while the worker, having cleared the flag, polls without
 * seeing them: a lost wake-up. With an RMW the two are ordered by the word's modification order: either
 * the worker's clearing comes later and acquires the waker's writes, or the waker sees it and schedules.
 */
public abstract class TaskState {
  public static final int LIFECYCLE = 0b11;
  static final int IDLE = 0;
  static final int SCHEDULED = 1;
  public static final int RUNNING = 2;
  public static final int COMPLETE = 3;

  /** Woken since the current poll began, or while waiting for one. */
  static final int NOTIFIED = 1 << 2;

  /** Cancellation was asked for. */
  public static final int CANCELLED = 1 << 3;

  /** Somebody registered a waker for the end. */
  static final int JOIN_INTEREST = 1 << 4;

  /** Nobody will ask for the result: a failure goes to the uncaught handler at once. */
  static final int DETACHED = 1 << 5;

  /** The task's own thread has begun: cancelling interrupts it, nothing is dropped any more. */
  static final int DIRECT = 1 << 6;

  /**
   * Somebody has decided to interrupt the thread and has not done so yet. The thread enters no
   * shield meanwhile, so the interrupt cannot land inside one.
   */
  static final int INTERRUPTING = 1 << 7;

  static final int SHIELD_SHIFT = 8;
  static final int SHIELD_ONE = 1 << SHIELD_SHIFT;
  static final int SHIELD_MAX = 255;
  public static final int SHIELD = SHIELD_MAX << SHIELD_SHIFT;

  /**
   * Looks at a word that is INTERRUPTING before the thread lets others run: about a microsecond.
   */
  private static final int INTERRUPT_SPINS = 32;

  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  private volatile int state;

  TaskState(int initial) {
    // Plain: a task is published by the queue it is put into.
    STATE.set(this, initial);
  }

  private boolean cas(int expected, int next) {
    return STATE.compareAndSet(this, expected, next);
  }

  /** What the caller of a transition must do. */
  public enum Action {
    /** Nothing: somebody else will. */
    NONE,
    /** Put the task into a run queue. */
    ENQUEUE,
    /** Poll the future. */
    POLL,
    /** Drop the future, then complete as cancelled. */
    DROP
  }

  /** A wake-up from anywhere. */
  protected final Action wakeTransition() {
    for (; ; ) {
      int s = state;
      switch (s & LIFECYCLE) {
        case IDLE -> {
          if (cas(s, s | SCHEDULED)) {
            return Action.ENQUEUE;
          }
        }
        case COMPLETE -> {
          return Action.NONE;
        }
        default -> {
          if (cas(s, s | NOTIFIED)) {
            return Action.NONE;
          }
        }
      }
    }
  }

  /** A worker took the task from a queue. */
  protected final Action toRunning() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) != SCHEDULED) {
        throw illegal("run", s);
      }
      int next = (s & ~(LIFECYCLE | NOTIFIED)) | RUNNING;
      if (cas(s, next)) {
        return mustDrop(s) ? Action.DROP : Action.POLL;
      }
    }
  }

  /** The poll was pending. */
  final Action toIdle() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) != RUNNING) {
        throw illegal("suspend", s);
      }
      if (mustDrop(s)) {
        return Action.DROP;
      }
      if ((s & NOTIFIED) != 0) {
        return Action.ENQUEUE; // held: resume clears the flag
      }
      if (cas(s, s & ~LIFECYCLE)) {
        return Action.NONE;
      }
    }
  }

  /** The poll was pending, but the task can go on at once: it is queued with the word as it is. */
  final Action toHeld() {
    return mustDrop(state) ? Action.DROP : Action.ENQUEUE;
  }

  /**
   * A worker took a held task from a queue. Mostly nothing has happened to the word, and nothing is
   * written; a wake that comes after the look stays noted until the end of the poll.
   */
  final Action resume() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) != RUNNING) {
        throw illegal("resume", s);
      }
      if ((s & NOTIFIED) == 0 || cas(s, s & ~NOTIFIED)) {
        return mustDrop(s) ? Action.DROP : Action.POLL;
      }
    }
  }

  /**
   * The running task has ended.
   *
   * @return the word before; its flags say whom to tell
   */
  final int complete() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) != RUNNING) {
        throw illegal("complete", s);
      }
      if (cas(s, s | COMPLETE)) {
        return s;
      }
    }
  }

  /** What a request to cancel came to. */
  public enum CancelRequest {
    /** Too late, or asked before. */
    REFUSED,
    /** Noted; the task's own worker, or the end of its shield, will act on it. */
    NOTED,
    /** Noted, and the caller must put the task into a run queue. */
    ENQUEUE,
    /** Noted, and the caller must interrupt the thread, then call endInterrupting. */
    INTERRUPT
  }

  protected final CancelRequest cancelTransition() {
    for (; ; ) {
      int s = state;
      int lifecycle = s & LIFECYCLE;
      if (lifecycle == COMPLETE || (s & CANCELLED) != 0) {
        return CancelRequest.REFUSED;
      }
      if ((s & DIRECT) != 0) {
        boolean interrupt = (s & SHIELD) == 0;
        if (cas(s, s | CANCELLED | (interrupt ? INTERRUPTING : 0))) {
          return interrupt ? CancelRequest.INTERRUPT : CancelRequest.NOTED;
        }
        continue;
      }
      boolean enqueue = lifecycle == IDLE && (s & SHIELD) == 0;
      if (cas(s, s | CANCELLED | (enqueue ? SCHEDULED : 0))) {
        return enqueue ? CancelRequest.ENQUEUE : CancelRequest.NOTED;
      }
    }
  }

  /**
   * The worker is about to start the task's own thread.
   *
   * @return false if the task was cancelled before: no thread must begin
   */
  public final boolean beginDirect() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) != RUNNING) {
        throw illegal("begin", s);
      }
      if (mustDrop(s)) {
        return false;
      }
      if (cas(s, s | DIRECT)) {
        return true;
      }
    }
  }

  /** Whether a wake has come since the current poll began. */
  public final boolean isNotified() {
    return (state & NOTIFIED) != 0;
  }

  /** For the mounted thread of a direct task, which is about to look at what it awaits again. */
  public final void clearNotified() {
    STATE.getAndBitwiseAnd(this, ~NOTIFIED);
  }

  /** Whether the task's own thread has begun. */
  public final boolean hasBegun() {
    return (state & DIRECT) != 0;
  }

  /** The interrupt that a cancel decided on has been sent. */
  final void endInterrupting() {
    STATE.getAndBitwiseAnd(this, ~INTERRUPTING);
  }

  /** Whether cancellation is in force now: asked for, and no shield is up. */
  public final boolean isCancelledHere() {
    return isUnshieldedCancel(state);
  }

  private static boolean isUnshieldedCancel(int s) {
    return (s & CANCELLED) != 0 && (s & SHIELD) == 0;
  }

  /**
   * The running task begins a part that must not be cancelled.
   *
   * @return the word before
   */
  protected final int enterShield() {
    for (int looks = 1; ; looks++) {
      int s = state;
      if ((s & INTERRUPTING) != 0) {
        letInterruptLand(looks);
        continue;
      }
      if (!mayShield(s)) {
        throw illegal("enter a shield", s);
      }
      if ((s & SHIELD) == SHIELD) {
        throw new IllegalStateException(
            "cancellation shields are nested more than " + SHIELD_MAX + " deep in " + this);
      }
      if (cas(s, s + SHIELD_ONE)) {
        return s;
      }
    }
  }

  /**
   * The canceller is between two instructions, or was preempted there. It may be a task that waits
   * for this very worker, so spinning alone could last for ever.
   */
  private static void letInterruptLand(int looks) {
    if (looks < INTERRUPT_SPINS) {
      Thread.onSpinWait();
    } else {
      StackRoom.yieldOrSpin();
    }
  }

  /**
   * The running task ends such a part.
   *
   * @return whether cancellation is in force from now on
   */
  protected final boolean exitShield() {
    for (; ; ) {
      int s = state;
      if (!mayShield(s) || (s & SHIELD) == 0) {
        throw illegal("leave a shield", s);
      }
      int next = s - SHIELD_ONE;
      if (cas(s, next)) {
        return isUnshieldedCancel(next);
      }
    }
  }

  /**
   * Ends a shield that a future holds, which may be in another task's hands by now: whatever the
   * task does, on any thread. A task that has ended needs no shield.
   *
   * @return what the caller must do if a cancellation is in force from now on
   */
  final CancelRequest endShield() {
    for (; ; ) {
      int s = state;
      boolean direct = (s & DIRECT) != 0;
      if ((s & LIFECYCLE) == COMPLETE && !direct) {
        return CancelRequest.REFUSED;
      }
      if ((s & SHIELD) == 0) {
        throw illegal("end a shield of", s);
      }
      int next = s - SHIELD_ONE;
      CancelRequest request = CancelRequest.NOTED;
      if (isUnshieldedCancel(next)) {
        if (direct) {
          next |= INTERRUPTING;
          request = CancelRequest.INTERRUPT;
        } else if ((s & LIFECYCLE) == IDLE) {
          next |= SCHEDULED;
          request = CancelRequest.ENQUEUE;
        }
      }
      if (cas(s, next)) {
        return request;
      }
    }
  }

  /**
   * A direct task's thread runs whatever the word says: on the JDK's scheduler it has no worker,
   * and after a close that gave it up the word is COMPLETE.
   */
  private static boolean mayShield(int s) {
    return (s & LIFECYCLE) == RUNNING || (s & DIRECT) != 0;
  }

  /** Registers interest in the end; false when the task has ended already. */
  final boolean addJoinInterest() {
    for (; ; ) {
      int s = state;
      if ((s & LIFECYCLE) == COMPLETE) {
        return false;
      }
      // An RMW even if the flag is set: it orders the joiner's waker before the completer's look.
      if (cas(s, s | JOIN_INTEREST)) {
        return true;
      }
    }
  }

  /**
   * Nobody will ask for the result.
   *
   * @return whether the task had ended before
   */
  final boolean detachTransition() {
    return ((int) STATE.getAndBitwiseOr(this, DETACHED) & LIFECYCLE) == COMPLETE;
  }

  public final boolean isComplete() {
    return (state & LIFECYCLE) == COMPLETE;
  }

  /** Whether somebody has asked for cancellation. */
  public final boolean isCancelRequested() {
    return (state & CANCELLED) != 0;
  }

  protected final int word() {
    return state;
  }

  private static boolean mustDrop(int s) {
    return isUnshieldedCancel(s) && (s & DIRECT) == 0;
  }

  private IllegalStateException illegal(String verb, int s) {
    return new IllegalStateException("cannot " + verb + " a task that is " + describe(s));
  }

  /** A word in words. */
  static String describe(int s) {
    var text = new StringBuilder();
    text.append(
        switch (s & LIFECYCLE) {
          case IDLE -> "idle";
          case SCHEDULED -> "scheduled";
          case RUNNING -> "running";
          default -> "complete";
        });
    if ((s & NOTIFIED) != 0) {
      text.append("+notified");
    }
    if ((s & CANCELLED) != 0) {
      text.append("+cancelled");
    }
    if ((s & JOIN_INTEREST) != 0) {
      text.append("+awaited");
    }
    if ((s & DETACHED) != 0) {
      text.append("+detached");
    }
    if ((s & DIRECT) != 0) {
      text.append("+direct");
    }
    if ((s & INTERRUPTING) != 0) {
      text.append("+interrupting");
    }
    if ((s & SHIELD) != 0) {
      text.append("+shield ").append((s & SHIELD) >>> SHIELD_SHIFT);
    }
    return text.toString();
  }
}
