package dev.blitz.io.internal.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Failures;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.TaskFailure;
import dev.blitz.io.internal.wait.WakerBag;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The part of a task that others see: its result and those who wait for it. */
/* Implementation notes
 *
 * slot: before COMPLETE it belongs to the thread that runs the task (the subclass keeps its work
 * there); the completer writes the outcome into it and then moves the word to COMPLETE; whoever has
 * read COMPLETE may read it. The outcome is the value, a LambdaResult.None, a TaskFailure, or a Cancelled.
 *
 * joiners: a WakerBag. Protocol:
 *   joiner:    add the waker (CAS), then addJoinInterest (RMW on the word); if that finds COMPLETE,
 *              read the result instead of waiting.
 *   completer: complete (RMW on the word); if it shows JOIN_INTEREST, take joiners and wake them.
 * The two RMWs are ordered: either the joiner's is first, then the completer sees the flag and, through
 * it, the waker; or the joiner sees COMPLETE. A waker that is left behind after COMPLETE wakes nobody.
 * So the completer reads joiners and clears it in two steps: its read comes after its RMW and misses no
 * waker whose joiner relies on it; what is added between the two steps, or lost by the clearing, belongs to
 * a joiner whose own RMW comes after COMPLETE and tells it so.
 */
public abstract class JoinCell<T> extends TaskState implements JoinHandle<T> {
  /** The outcome of a cancelled task; {@code why} tells the reason, if there was one. */
  private record Cancelled(@Nullable Supplier<? extends @Nullable Throwable> why) {
    static final Cancelled FOR_NO_REASON = new Cancelled(null);
  }

  private static final VarHandle JOINERS =
      Fields.of(MethodHandles.lookup(), "joiners", Object.class);

  private static final VarHandle NUMBER = Fields.of(MethodHandles.lookup(), "number", long.class);

  /** 0 until somebody asks for it: most tasks live without. */
  private volatile long number;

  public final @Nullable TaskExtras extras;
  private @Nullable Object slot;
  private volatile @Nullable Object joiners;

  protected JoinCell(Object work, @Nullable TaskExtras extras) {
    super(SCHEDULED);
    this.slot = work;
    this.extras = extras;
  }

  /**
   * The task of a handle.
   *
   * @throws IllegalArgumentException if the handle is not one of ours
   */
  public static <T> JoinCell<T> of(JoinHandle<T> handle) {
    if (handle instanceof JoinCell<T> cell) {
      return cell;
    }
    throw new IllegalArgumentException(
        "a JoinHandle comes from spawn; this one is " + Telling.of(handle.getClass()));
  }

  /** The runtime that the task belongs to. */
  protected abstract Home home();

  // --- For the thread that runs the task ---

  /** What is still to be done; only for the thread that runs the task. */
  protected final Object work() {
    Object work = slot;
    if (work == null) {
      throw new IllegalStateException(this + " has no work left");
    }
    return work;
  }

  protected final void finishWith(T value) {
    finish(value);
  }

  protected final void finishCancelled() {
    finish(cancelled());
  }

  /** With the reason of the scope, whose child is the first that joined. */
  private Cancelled cancelled() {
    try {
      if (WakerBag.oldest(joiners) instanceof Guardian guardian) {
        var why = guardian.cancelReason();
        return why == null ? Cancelled.FOR_NO_REASON : new Cancelled(why);
      }
    } catch (VirtualMachineError e) {
      // Those who wait must hear of the end, if not why.
    }
    return Cancelled.FOR_NO_REASON;
  }

  protected final void finishFailed(Throwable cause) {
    TaskFailure failure = TaskFailure.of(cause);
    try {
      if (Failures.isFatal(cause)) {
        failure.claim(); // told at once, so not once more later
        home()
            .failures()
            .uncaught("a task (an error of the virtual machine)", cause); // needs no memory
      } else {
        keepUnjoined(failure);
      }
    } finally {
      finish(failure); // whatever the bookkeeping throws, those who wait must hear of the end
    }
  }

  private void keepUnjoined(TaskFailure failure) {
    String what = "task " + id() + " '" + name() + "', which nobody joined";
    home().failures().unjoined().add(this, what, failure);
  }

  private void finish(Object outcome) {
    try {
      if (extras != null && extras.owned() != null) {
        closeOwned(extras.owned());
      }
    } finally {
      complete(outcome); // whatever telling of a failed close throws
    }
  }

  private void complete(Object outcome) {
    slot = outcome;
    int before = complete();
    if ((before & JOIN_INTEREST) != 0) {
      wakeJoiners();
    }
    if ((before & DETACHED) != 0 && outcome instanceof TaskFailure f) {
      reportOnce(f);
    }
  }

  /** What the task's own code has not closed: it never ran, or has been given up. */
  private void closeOwned(Owned owned) {
    try {
      owned.close();
    } catch (Throwable t) {
      home().failures().uncaught("close() of what " + label() + " owned", t);
    }
  }

  /**
   * Tells what {@code what} of this task has thrown, for a caller who has to go on: never throws,
   * though there may be no memory to tell of it.
   */
  public final void tryTell(String what, Throwable failure) {
    try {
      home().failures().uncaught(what + " " + label(), failure);
    } catch (Throwable untold) {
      // The caller goes on.
    }
  }

  private void reportOnce(TaskFailure failure) {
    if (failure.claim()) {
      home().failures().unjoined().forget(failure);
      home().failures().uncaught(label(), failure.cause());
    }
  }

  // --- For those who wait ---

  @Override
  public final @Nullable T poll(Context cx) {
    if (!isComplete()) {
      addJoiner(cx.waker());
      if (addJoinInterest()) {
        return null;
      }
    }
    return result();
  }

  @SuppressWarnings("unchecked") // neither failure nor cancellation: the value
  private T result() {
    Object outcome = slot;
    if (outcome instanceof TaskFailure f) {
      observe(f);
      throw failedBy(f.cause());
    }
    return switch (outcome) {
      case null -> throw new IllegalStateException(this + " has no outcome");
      case Cancelled c -> throw exception(c);
      case LambdaResult.None none -> throw none.exception();
      default -> (T) outcome;
    };
  }

  /** What those who wait for it are told. */
  public final TaskFailedException failedBy(Throwable cause) {
    boolean nested = cause instanceof TaskFailedException; // whose message says why
    String why = nested ? " because another task did" : ": " + Telling.of(cause);
    return new TaskFailedException(label() + " failed" + why, cause);
  }

  private CancelledException exception(Cancelled outcome) {
    Throwable cause = outcome.why == null ? null : outcome.why.get();
    var exception = new CancelledException(whyCancelled(cause));
    if (cause != null) {
      exception.initCause(cause);
    }
    return exception;
  }

  private String whyCancelled(@Nullable Throwable cause) {
    return label() + " was cancelled" + (cause == null ? "" : ", since " + cause.getMessage());
  }

  @Override
  public final T get() {
    if (!isComplete()) {
      throw notEnded();
    }
    return result();
  }

  private IllegalStateException notEnded() {
    return new IllegalStateException(
        label()
            + " has not ended yet: await it first, by await() or Futures.outcome(task).await()");
  }

  private void observe(TaskFailure f) {
    if (f.claim()) {
      home().failures().unjoined().forget(f);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // as above
  public final Outcome<T> outcome() {
    if (!isComplete()) {
      throw notEnded();
    }
    Object outcome = slot;
    if (outcome instanceof TaskFailure f) {
      observe(f);
      return new Outcome.Failure<>(f.cause());
    }
    return switch (outcome) {
      case null -> throw new IllegalStateException(this + " has no outcome");
      case Cancelled c -> new Outcome.Cancelled<>(whyCancelled(c.why == null ? null : c.why.get()));
      case LambdaResult.None none -> new Outcome.Failure<>(none.exception());
      default -> new Outcome.Success<>((T) outcome);
    };
  }

  /**
   * As {@link #wakeAtEnd}, which has to be called too: its scope, before anybody has the handle.
   */
  public final void guardBy(Guardian guardian) {
    addJoiner(guardian);
  }

  private void addJoiner(Waker waker) {
    for (; ; ) {
      Object now = joiners;
      Object next = WakerBag.with(now, waker);
      if (next == now || JOINERS.compareAndSet(this, now, next)) {
        return;
      }
    }
  }

  private void wakeJoiners() {
    Object waiting = joiners;
    JOINERS.setOpaque(this, (Object) null);
    WakerBag.wakeAll(waiting);
  }

  /**
   * Has {@code waker} woken once the task has ended, without asking for its result.
   *
   * @return false if it has ended already; the waker may be woken nevertheless
   */
  public final boolean wakeAtEnd(Waker waker) {
    addJoiner(waker);
    return addJoinInterest();
  }

  /** What an ended task threw, not counted as seen; null if it ended otherwise or runs. */
  public final @Nullable Throwable peekFailure() {
    return isComplete() && slot instanceof TaskFailure f ? f.cause() : null;
  }

  /** The same if nobody has seen it; from now on the caller has. */
  public final @Nullable Throwable takeUnseenFailure() {
    if (isComplete() && slot instanceof TaskFailure f && f.claim()) {
      home().failures().unjoined().forget(f);
      return f.cause();
    }
    return null;
  }

  /** Whether the task has ended without a result because it was cancelled. */
  public final boolean endedCancelled() {
    return isComplete() && slot instanceof Cancelled;
  }

  /** The API of its runtime, as {@link Home#api}. */
  public final Object runtimeApi() {
    return home().api();
  }

  /** Whether the task's runtime takes no new tasks any more. */
  public final boolean isRuntimeClosing() {
    return home().isClosing();
  }

  @Override
  public final boolean isDone() {
    return isComplete();
  }

  @Override
  public final void detach() {
    if (detachTransition() && slot instanceof TaskFailure f) {
      reportOnce(f);
    }
  }

  @Override
  public final CompletableFuture<T> toCompletableFuture() {
    return StageBridge.of(this);
  }

  // --- Identity ---

  @Override
  public final long id() {
    if (number == 0) {
      NUMBER.compareAndSet(this, 0L, home().nextTaskNumber());
    }
    return number;
  }

  @Override
  public final String name() {
    return extras == null || extras.name() == null ? "task-" + id() : extras.name();
  }

  /** How messages call it. */
  public final String label() {
    return extras == null || extras.name() == null
        ? "task " + id()
        : "task " + id() + " '" + extras.name() + "'";
  }

  @Override
  public final String toString() {
    return "end of " + label() + " (" + describe(word()) + ")";
  }
}
