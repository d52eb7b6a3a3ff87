package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Future;
import dev.blitz.io.internal.current.DirectPlace;
import org.jspecify.annotations.Nullable;

/** The place of a direct task's thread, as {@code await()} sees it: every direct place is one. */
public abstract class AwaitingPlace extends DirectPlace {

  /**
   * Waits for {@code future}; on the task's own thread.
   *
   * @return null if the thread must wait as a stranger does, by blocking
   */
  public abstract <V> @Nullable V await(Future<V> future) throws Exception;
}
