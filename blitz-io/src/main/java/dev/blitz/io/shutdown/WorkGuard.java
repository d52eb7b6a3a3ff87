package dev.blitz.io.shutdown;

import dev.blitz.io.task.CancelToken;

/**
 * Work that a drain waits for, from {@link Shutdown#begin} until it is closed. For what is no task
 * of its own.
 *
 * {@snippet :
 * try (WorkGuard work = shutdown.begin("order " + id)) {
 *   store(order);
 * }
 * }
 *
 * <p>Thread safe; closing again does nothing. Implemented by Blitz only.
 */
public interface WorkGuard extends AutoCloseable {

  /** Cancelled when the drain gives the work up: its time is over, or it was forced. */
  CancelToken token();

  /** The work is done. */
  @Override
  void close();
}
