package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * An element of a {@link LinkList}. The element carries the links itself, so joining and leaving a
 * list allocates nothing and takes constant time. All fields are guarded by the lock of the list.
 */
public abstract class Link {
  @Nullable Link prev;
  public @Nullable Link next;
  boolean linked;

  /** Whether it is in a list. */
  public final boolean isLinked() {
    return linked;
  }

  /** The element behind it, or null. */
  public final @Nullable Link following() {
    return next;
  }
}
