package dev.blitz.io.internal.current;

import org.jspecify.annotations.Nullable;

/**
 * The place of a direct task's thread. A class, not an interface: it is asked for at each await.
 */
public abstract class DirectPlace implements Inside {
  private @Nullable Bindings bindings;

  /** Only for this thread. */
  private @Nullable CallLimit limit;

  /** Written by this thread, read by those who interrupt it, after they did. */
  private volatile @Nullable Runnable wait;

  /** Whether {@code thread} is the task's own; others may have inherited its scheduler. */
  protected abstract boolean isOf(Thread thread);

  /** Whether the thread polls something, during which it stays on its carrier. */
  public abstract boolean isPolling();

  @Override
  public final @Nullable Bindings bindings() {
    return bindings;
  }

  @Override
  public final void setBindings(@Nullable Bindings bindings) {
    this.bindings = bindings;
  }

  @Override
  public final @Nullable CallLimit limit() {
    return limit;
  }

  @Override
  public final void setLimit(@Nullable CallLimit limit) {
    this.limit = limit;
  }

  @Override
  public final @Nullable Runnable setWait(@Nullable Runnable wake) {
    Runnable before = wait;
    wait = wake;
    return before;
  }

  /** Its thread was interrupted. */
  protected final void wasInterrupted() {
    Runnable wake = wait;
    if (wake != null) {
      wake.run();
    }
  }
}
