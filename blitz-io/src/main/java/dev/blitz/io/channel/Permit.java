package dev.blitz.io.channel;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Room for one message in a channel: {@link #send} with it neither waits nor fails, also when the
 * channel has been closed meanwhile. Receivers of a closed channel wait for the permits that are
 * out, so use it or close it.
 *
 * {@snippet :
 * try (Permit<Job> permit = jobs.reserve().await()) { // the job is taken only once there is room
 *   permit.send(queue.take());
 * }
 * }
 *
 * <p>Thread safe; closing a permit that was used or closed does nothing.
 */
public final class Permit<T> implements AutoCloseable {
  private static final VarHandle SPENT = Fields.of(MethodHandles.lookup(), "spent", boolean.class);

  private final Channel<T> channel;

  private volatile boolean spent;

  Permit(Channel<T> channel) {
    this.channel = channel;
  }

  /**
   * Sends a message into the room.
   *
   * @throws IllegalStateException if the permit was used or closed
   */
  public void send(T value) {
    Objects.requireNonNull(value, "value");
    if (!SPENT.compareAndSet(this, false, true)) {
      throw new IllegalStateException("this permit was used or closed already");
    }
    try {
      channel.sendReserved(value);
    } catch (Throwable t) {
      spent = false; // no memory or no stack: it was not sent, and the room is still kept
      throw t;
    }
  }

  /** Gives the room back, unless it was used. */
  @Override
  public void close() {
    if (SPENT.compareAndSet(this, false, true)) {
      try {
        channel.release();
      } catch (Throwable t) {
        spent = false;
        throw t;
      }
    }
  }

  @Override
  public String toString() {
    return "Permit[" + (spent ? "spent" : "unused") + ", " + channel + "]";
  }
}
