package dev.blitz.io.channel;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.Link;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A future that may wait in a {@link WaitQueue}; it is its own entry there.
 *
 * <pre>
 * FROM    TO      trigger                          actor, under the queue's lock
 * NOT     QUEUED  enlist                           owner
 * QUEUED  WOKEN   a wake picks it                  whoever wakes
 * WOKEN   QUEUED  there was nothing for it         owner
 * QUEUED  NOT     drop                             owner
 * WOKEN   NOT     success, failure, drop           owner (no lock needed: it is in no list)
 * </pre>
 */
abstract class WaitEntry extends Link {
  /** Where a waiter is. */
  enum Stage {
    NOT_WAITING,
    QUEUED,
    WOKEN
  }

  private static final VarHandle STAGE;

  static {
    try {
      STAGE = MethodHandles.lookup().findVarHandle(WaitEntry.class, "stage", Stage.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Written under the lock while queued, by the owner otherwise; the owner reads it without. */
  @SuppressWarnings("unused") // through STAGE
  private Stage stage = Stage.NOT_WAITING;

  /** Guarded by the lock while queued. */
  @Nullable Waker waker;

  /** How often it was woken and found nothing; the owner's. */
  byte vain;

  /**
   * Whether there is still nothing for it. Called under the lock of the queue, after the queue has
   * announced that somebody waits.
   */
  abstract boolean mustWait();

  /** Whether close is still to come, and with it a wake for all that wait. */
  abstract boolean isOpen();

  /** For how many waiters there is something now. */
  abstract int available();

  final Stage stage() {
    return (Stage) STAGE.getAcquire(this);
  }

  final void setStage(Stage next) {
    STAGE.setRelease(this, next);
  }
}
