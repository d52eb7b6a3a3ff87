package dev.blitz.io.internal.current;

import org.jspecify.annotations.Nullable;

/**
 * The place of a direct task's thread. A class, not an interface: it is asked for at each await.
 */
public abstract class DirectPlace implements Inside {
  private @Nullable Bindings bindings;

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
}
