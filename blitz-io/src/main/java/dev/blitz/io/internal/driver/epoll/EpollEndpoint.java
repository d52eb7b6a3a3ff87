package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import java.io.IOException;

/** A socket that learns of its events through the shared instance. */
abstract class EpollEndpoint extends SocketEndpoint {
  private final EpollDriver driver;

  /** Written once by the driver, before anybody else knows the endpoint. */
  private long key;

  /** Guarded by this, for writers. */
  private volatile boolean registered;

  EpollEndpoint(EpollDriver driver, Descriptor descriptor, AddressFamily family) {
    super(descriptor, family);
    this.driver = driver;
  }

  final EpollDriver driver() {
    return driver;
  }

  final void setKey(long key) {
    this.key = key;
  }

  @Override
  protected final boolean callBlocking(Runnable call) {
    return driver.callBlocking(call);
  }

  /** What the kernel saw; on any worker. */
  abstract void signal(int bits);

  /** Wakes whoever waits: the socket has been closed. */
  abstract void wakeAll();

  /**
   * Makes sure that events arrive. Only now, when there is something to wait for: the kernel then
   * reports at once what is already there, and a connection that never waits costs no call. The
   * caller is using the descriptor.
   */
  final void register(int events) throws IOException {
    if (!registered) {
      registerSlowly(events);
    }
  }

  private synchronized void registerSlowly(int events) throws IOException {
    if (!registered) {
      driver.instance().add(descriptor().number(), events | EpollAbi.EPOLLET, key);
      registered = true;
    }
  }

  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once
    if (descriptor().close()) {
      driver.forget(key); // closing the descriptor has taken it out of the instance
      wakeAll();
    }
  }
}
