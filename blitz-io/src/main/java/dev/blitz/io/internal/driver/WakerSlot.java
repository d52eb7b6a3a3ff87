package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.SafeCalls;
import org.jspecify.annotations.Nullable;

/**
 * The waker of one side of an endpoint.
 *
 * <p>Protocol: the side's owner stores its waker and then looks once more at what it waits for;
 * whoever brings that about makes it visible and then calls {@link #wake}. Both words are volatile,
 * so one of the two sees the other. A waker stays until it is replaced or cleared: one wake too
 * many costs a poll, one too few costs a hang.
 */
public final class WakerSlot {
  private volatile @Nullable Waker waker;

  /** Owner: wakes go to {@code waker} from now on. */
  public void set(Waker waker) {
    if (this.waker != waker) {
      this.waker = waker;
    }
  }

  /** Owner: nobody waits any more. */
  public void clear() {
    waker = null;
  }

  /**
   * Wakes whoever waits; on any thread.
   *
   * @return whether there was somebody
   */
  public boolean wake() {
    Waker w = waker;
    if (w == null) {
      return false;
    }
    SafeCalls.wake(w);
    return true;
  }
}
