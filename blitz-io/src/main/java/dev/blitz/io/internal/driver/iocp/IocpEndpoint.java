package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.NetEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;

/** What streams and listeners share: a channel of the JDK, and its end. */
/* Implementation notes
 *
 * The JDK's channels have monitors and queued locks. A virtual thread that is next for one of them and has left its carrier may
 * need the very worker that waits behind it. So whoever is not one of the group's own threads calls a channel under `lock`, which
 * keeps its carrier: nobody who waits for the JDK's locks is then unable to run.
 *
 * No waker is called under it.
 */
abstract class IocpEndpoint implements NetEndpoint, EndpointRegistry.Registered {
  final PinnedLock lock = new PinnedLock();
  final IocpDriver driver;
  private final NetworkChannel channel;

  /** Written once by the driver, before anybody else knows the endpoint. */
  private long key;

  /** Written under the lock, once. */
  private volatile boolean closed;

  IocpEndpoint(IocpDriver driver, NetworkChannel channel) {
    this.driver = driver;
    this.channel = channel;
  }

  @Override
  public final void registeredAs(long key) {
    this.key = key;
  }

  @Override
  public final boolean isOpen() {
    return !closed;
  }

  /**
   * Also if it is about to be closed with all others: the end of a peer that was closed just before
   * is not what its reader is to be told.
   */
  final void requireOpen() throws ClosedChannelException {
    if (closed || driver.isClosing()) {
      throw new ClosedChannelException();
    }
  }

  /** A call on the channel. */
  @FunctionalInterface
  interface Call<T extends @Nullable Object> {
    T make() throws IOException;
  }

  /** Makes a call on the open channel. */
  final <T extends @Nullable Object> T call(Call<T> call) throws IOException {
    StackRoom.forCalls();
    lock.lock();
    try {
      requireOpen();
      return call.make();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
    call(() -> {
      IocpOptions.set(channel, option, value);
      return null;
    });
  }

  @Override
  public final <T> T option(SocketOption<T> option) throws IOException {
    return call(() -> IocpOptions.get(channel, option));
  }

  @Override
  public final SocketAddress localAddress() throws IOException {
    return named(call(channel::getLocalAddress), "is not bound");
  }

  static SocketAddress named(@Nullable SocketAddress address, String otherwise)
      throws SocketException {
    if (address == null) {
      throw new SocketException("the socket " + otherwise);
    }
    return address;
  }

  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closing();
    } finally {
      lock.unlock();
    }
    driver.forget(key);
    wakeAll();
  }

  /**
   * Under the lock, once: closes the channel, or sees to it. Throws nothing: those who wait are yet
   * to be woken.
   */
  abstract void closing();

  /** Wakes whoever waits: the socket has been closed. */
  abstract void wakeAll();

  /** The system's part of a close; a failure leaves nothing to do. */
  final void closeChannel() {
    close(channel);
  }

  static void close(NetworkChannel channel) {
    try {
      channel.close();
    } catch (IOException | RuntimeException | Error e) {
      // It is closed all the same. What the JDK could not tell those who wait, a wake does.
    }
  }
}
