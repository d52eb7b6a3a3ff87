package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One call that the kernel carries out while nobody waits for it. It is made once. {@link #poll}
 * and {@link #drop} belong to its owner, one thread at a time; {@link #cancel} to anybody.
 *
 * <p>Until the kernel has answered, the driver holds the call, and the call its memory and a use of
 * its descriptor: both outlive it whatever its owner does. The answer goes either to the owner, by
 * {@link #poll}, or, if the owner has dropped the call, to {@link #abandoned}.
 */
/* Implementation notes
 *
 *   FROM    | TO      | by                                     | then
 *   WAITS   | DONE    | answer, on whoever reaps, without lock | wakes the owner
 *   WAITS   | DROPPED | drop, by the owner                     |
 *   DONE    | TAKEN   | poll, by the owner                     | has the result
 *   DONE    | DROPPED | drop, by the owner                     | the owner calls abandoned
 *   DROPPED | DROPPED | answer                                 | the reaper calls abandoned
 *
 *   field  | writer                   | reader                    | mode
 *   state  | as above                 | all                       | volatile, compareAndSet
 *   result | answer, before the state | owner, who has seen DONE  | plain; pairs by state
 *   origin | submit, before any answer | cancel                   | volatile
 */
public class KernelCall {
  /** {@link #poll}: no answer yet; the waker has been kept. No result is this number. */
  public static final int PENDING = Integer.MIN_VALUE;

  private static final int WAITS = 0;
  private static final int DONE = 1;
  private static final int TAKEN = 2;
  private static final int DROPPED = 3;
  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  /** What the driver made of a call. */
  public interface Submitted {
    /** See {@link KernelCall#cancel}. */
    void cancel();
  }

  private final KernelRequest request;
  private final @Nullable Descriptor descriptor;
  private final @Nullable Object memory;
  private final WakerSlot owner = new WakerSlot();
  private volatile @Nullable Submitted origin;
  private volatile int state = WAITS;
  private int result;
  private boolean memoryLost;

  /**
   * A call that has not been made yet.
   *
   * @param descriptor whose number the request names, if it is ours; in use until the answer
   * @param memory what the request's addresses belong to: reachable until the answer. Memory of an
   *     automatic arena needs nothing else; of another arena, the owner closes it after the answer
   */
  public KernelCall(
      KernelRequest request, @Nullable Descriptor descriptor, @Nullable Object memory) {
    this.request = request;
    this.descriptor = descriptor;
    this.memory = memory;
  }

  /** What is asked for. */
  public final KernelRequest request() {
    return request;
  }

  /**
   * Whether a device can begin with it while its maker goes on: then it does not wait for others
   * that go to the kernel with it.
   */
  public boolean goesAtOnce() {
    return false;
  }

  /** What it was made with. */
  public final @Nullable Descriptor descriptor() {
    return descriptor;
  }

  /** What it was made with. */
  public final @Nullable Object memory() {
    return memory;
  }

  // --- The owner ---

  /**
   * The kernel's answer: what the system call would return, {@code -errno} for a failure, {@code
   * -ECANCELED} if it was cancelled or the runtime closed; {@link #PENDING} if there is none yet.
   * After {@link KernelCalls#submit}.
   */
  public final int poll(Waker waker) {
    if (state == WAITS) {
      owner.set(waker);
      if (state == WAITS) {
        return PENDING;
      }
      owner.clear();
    }
    STATE.compareAndSet(this, DONE, TAKEN);
    return result;
  }

  /**
   * The owner does not want the answer any more, at once; the kernel goes on with the call, or ends
   * it if {@link #cancel} was called. Nothing happens if the answer has been taken.
   */
  public final void drop() {
    owner.clear();
    if (!STATE.compareAndSet(this, WAITS, DROPPED) && STATE.compareAndSet(this, DONE, DROPPED)) {
      abandoned(result);
    }
  }

  /** Asks the kernel to end it soon. It may have been done, or go on all the same. */
  public final void cancel() {
    Submitted made = origin;
    if (made != null) {
      made.cancel();
    }
  }

  /**
   * With the answer: whether the memory must never be used again, because the kernel may still
   * write to it. So it is after a ring has failed, or a runtime was closed with a call that would
   * not end; the driver keeps it then.
   */
  public final boolean isMemoryLost() {
    return memoryLost;
  }

  /**
   * The kernel has answered and nobody will ask: gives back what the answer stands for, such as a
   * descriptor that was opened, and the memory. Called once, on any thread, a worker's perhaps,
   * with no lock held; must not wait.
   */
  protected void abandoned(int result) {}

  // --- The driver ---

  /** Before it can be answered. */
  public final void submittedAs(Submitted made) {
    origin = made;
  }

  /** The kernel has answered; once, without a lock. */
  public final void answer(int result, boolean memoryLost) {
    this.result = result;
    this.memoryLost = memoryLost;
    if (STATE.compareAndSet(this, WAITS, DONE)) {
      owner.wake();
    } else {
      abandoned(result);
    }
  }

  @Override
  public final String toString() {
    return "kernel call "
        + request.opcode()
        + switch (state) {
          case WAITS -> ", pending";
          case DROPPED -> ", dropped";
          default -> ": " + result;
        };
  }
}
