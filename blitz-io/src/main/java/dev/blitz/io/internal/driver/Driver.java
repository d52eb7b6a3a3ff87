package dev.blitz.io.internal.driver;

import dev.blitz.io.observe.BackendProbe;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What an idle worker waits in, and what sockets and their like are made of. A backend implements
 * this interface and the endpoints that {@link #endpoints} makes; {@code docs/design/driver.md} is
 * its contract.
 *
 * <p>Many workers may call {@link #park} and {@link #deliver} at a time, each for itself, always on
 * the thread that has {@link #attach}ed last; {@link #unpark} may come from any thread, also before
 * the park it is meant for.
 */
public interface Driver extends AutoCloseable {

  /** The backend's name, such as {@code epoll}. */
  String name();

  /** What was found when its backend was looked for. */
  BackendProbe backend();

  /** Called once, before anything else, by the scheduler that the driver serves. */
  default void start(DriverHost host) {}

  /**
   * Opens what sockets need here; without it the first socket does so. What fails leaves nothing
   * open. After {@link #start}, while there is no endpoint.
   *
   * @throws IOException if it cannot be had now, though the probe has found it; which backend, and
   *     what was refused, is in the message
   */
  default void open() throws IOException {}

  /**
   * Called on a thread that is going to drive worker {@code worker}, before it parks for the first
   * time. Over time several threads may drive a worker, one after the other, with a happens-before
   * edge between them.
   */
  void attach(int worker);

  /**
   * Waits until a completion is there for {@link #deliver}, {@link #unpark}, the deadline, or for
   * no reason at all. An unpark that came since the last park ends it at once. Wakes no task.
   *
   * @param deadlineNanos of the runtime's clock; {@link Long#MAX_VALUE} for none
   * @return true if {@link #deliver} should be called now
   */
  boolean park(int worker, long deadlineNanos);

  /**
   * Wakes the tasks of all completions that can be had without waiting, and hands what has been
   * submitted to the kernel. After a park that returned true it serves what that park found and
   * makes no further system call; otherwise it may make one that does not wait.
   *
   * @return how many completions it served
   */
  default int deliver(int worker) {
    return 0;
  }

  /**
   * Asked by a worker every few polls, and when it has run out of tasks, before it looks for
   * others' or parks: whether something was left with the driver that {@link #deliver} sends at
   * once. Cheap.
   */
  default boolean hasStaged(int worker) {
    return false;
  }

  /**
   * A hint for a worker that considers to spin: whether bytes were sent since this was last asked,
   * so that what arrives may be the answer.
   */
  default boolean takeSent() {
    return false;
  }

  /** Ends the present or the next park of {@code worker}. */
  void unpark(int worker);

  /**
   * Wakes {@code worker}, whose seat says that it waits in this driver; part of {@link #unpark}.
   */
  default void wakeElsewhere(int worker) {}

  /**
   * Worker {@code stuck} has been inside one poll for long. Called by the overseer, again and again
   * while that lasts.
   *
   * @return true if completions may be waiting for it that no other worker is looking at: some
   *     parked worker is unparked then, and must find them in its next park
   */
  default boolean relieve(int stuck) {
    return false;
  }

  /**
   * What makes sockets here, and takes over descriptors.
   *
   * @throws UnsupportedOperationException if this driver has none; the message says why
   */
  Endpoints endpoints();

  /** What files are read and written with here; null if only a thread that waits can do that. */
  default @Nullable KernelCalls kernelCalls() {
    return null;
  }

  /**
   * Closes every endpoint that is still open, waking whoever waits on it, and makes no further
   * ones. Workers may still be there, and may call anything.
   */
  default void closeSockets() {}

  /**
   * After all workers have ended: closes every endpoint that is still open, waking whoever waits on
   * it, and frees all memory and descriptors.
   */
  @Override
  void close();
}
