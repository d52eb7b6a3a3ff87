package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.FailureLog;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The open endpoints of a driver: each has a number that the kernel may keep, and closing the
 * driver closes them. Thread safe.
 */
/* Implementation notes
 *
 * adopt inserts, then reads `closed`; closeAll writes `closed`, then looks at the table. So an endpoint that is made
 * meanwhile is closed by one of the two, or by both.
 */
public final class EndpointRegistry<E extends EndpointRegistry.Registered> {
  private static final int FIRST_SLOTS = 64;

  /** What can be in it. */
  public interface Registered {
    /** Its number; told once, before anybody else knows it. */
    void registeredAs(long key);

    /** Closes it, which also {@linkplain #forget takes} it out. */
    void close();
  }

  private final SlotTable<E> endpoints = new SlotTable<>(FIRST_SLOTS);
  private volatile boolean closed;

  /** Makes an endpoint known; closes it if the driver is closed. */
  public <T extends E> T adopt(T endpoint) throws ClosedChannelException {
    endpoint.registeredAs(endpoints.insert(endpoint));
    if (closed) {
      endpoint.close();
      throw new ClosedChannelException();
    }
    return endpoint;
  }

  /** The endpoint of a number, or null if it has been closed. */
  public @Nullable E find(long key) {
    return endpoints.find(key);
  }

  /** An endpoint has been closed. */
  public void forget(long key) {
    endpoints.remove(key);
  }

  /** Whether {@link #closeAll} has been called. */
  public boolean isClosed() {
    return closed;
  }

  /** Closes every endpoint, and those that are yet to come. */
  public void closeAll() {
    closed = true;
    for (int slot = 0; slot < endpoints.slots(); slot++) {
      E endpoint = endpoints.at(slot);
      if (endpoint != null) {
        close(endpoint);
      }
    }
  }

  private static void close(Registered endpoint) {
    try {
      endpoint.close();
    } catch (RuntimeException | Error e) {
      tell(e); // and the others all the same
    }
  }

  private static void tell(Throwable failure) {
    try {
      FailureLog.log("closing a socket with its runtime", failure);
    } catch (Error notNow) {
      // There is no memory for the words.
    }
  }

  /** How many are open. */
  public int size() {
    return endpoints.size();
  }
}
