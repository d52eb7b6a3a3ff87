package dev.blitz.io.internal.driver;

/**
 * What an idle worker waits in. Many workers may call {@link #park} at a time, each for itself;
 * {@link #unpark} may come from any thread, also before the park it is meant for.
 */
public interface Driver extends AutoCloseable {

  /** Called on the thread that drives worker {@code worker}, before it parks for the first time. */
  void attach(int worker);

  /**
   * Waits until {@link #unpark}, the deadline, or for no reason at all. An unpark that came since
   * the last park ends it at once.
   *
   * @param deadlineNanos of the runtime's clock; {@link Long#MAX_VALUE} for none
   */
  void park(int worker, long deadlineNanos);

  /** Ends the present or the next park of {@code worker}. */
  void unpark(int worker);

  /** After all workers have ended. */
  @Override
  void close();
}
