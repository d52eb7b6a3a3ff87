package dev.blitz.io.internal.driver.readiness;

import java.io.IOException;

/** What a native readiness backend has to be able to do: an {@link EventSource} of descriptors. */
public interface Poller extends EventSource {

  /**
   * Lets the next change of {@code fd} be found, and what is already the case. Where a descriptor
   * {@linkplain #staysArmed stays armed} this is called once, with all that is of interest; else
   * before each wait, with what that wait is for: it adds to what is armed, and what was found is
   * not armed any more. Its caller is using the descriptor; two may call for the same one at a
   * time.
   */
  void arm(int fd, int interest, long key) throws IOException;

  /** Whether each later change is found too, once (edge-triggered). */
  boolean staysArmed();

  /** The descriptor is about to be closed. The kernel may know of that by itself. */
  default void disarm(int fd, long key) {}

  /**
   * As {@link #disarm}, of a descriptor that was armed and that others may have too: the kernel
   * does not know by itself that this one is closed. Called before it.
   */
  default void disarmShared(int fd) {}
}
