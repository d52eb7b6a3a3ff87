package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The waker of one side of an endpoint; a wake takes it out.
 *
 * <p>Protocol: the side's owner stores its waker and then looks once more at what it waits for;
 * whoever brings that about makes it visible and then calls {@link #wake}. Both words are volatile,
 * so one of the two sees the other.
 */
public class WakerSlot {
  private static final VarHandle WAKER = Fields.of(MethodHandles.lookup(), "waker", Waker.class);

  private volatile @Nullable Waker waker;

  /** Owner: the next wake goes to {@code waker}. */
  public final void set(Waker waker) {
    if (this.waker != waker) {
      this.waker = waker;
    }
  }

  /** Owner: nobody waits any more. */
  public final void clear() {
    if (waker != null) {
      waker = null;
    }
  }

  /**
   * Wakes whoever waits, once; on any thread.
   *
   * @return whether there was somebody
   */
  public final boolean wake() {
    if (waker == null) {
      return false;
    }
    Waker taken = (Waker) WAKER.getAndSet(this, null);
    if (taken == null) {
      return false;
    }
    SafeCalls.wake(taken);
    return true;
  }
}
