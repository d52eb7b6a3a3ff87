package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.NetEndpoint;
import dev.blitz.io.internal.driver.readiness.PolledEndpoint;
import dev.blitz.io.internal.driver.readiness.Readiness;
import dev.blitz.io.internal.wait.LastLook;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint on a channel of the JDK's. The channel does not block, so no call of it heeds or
 * forgets an interrupt.
 *
 * @param <C> the channel's kind
 */
/* Implementation notes
 *
 * A channel of the JDK's has a lock with a queue for each side, and a monitor for its state. A side is used by one
 * thread at a time, so its lock is free. Whatever takes the monitor, or both locks, is done under `calls`, which pins
 * virtual threads and has no queue. The channel is closed after the last use, when all of them are free.
 */
abstract class NioEndpoint<C extends SelectableChannel & NetworkChannel>
    extends PolledEndpoint<NioSocket<C>> implements NetEndpoint {
  /** {@link #pollIo}: the waker has been kept. */
  static final long MUST_WAIT = Long.MIN_VALUE;

  static final MemorySegment[] NONE = {};

  static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

  private final NioDriver driver;
  private final AddressFamily family;

  /** See above. */
  final PinnedLock calls = new PinnedLock();

  /** With a side that reads and one that writes. */
  NioEndpoint(NioDriver driver, NioSocket<C> socket, AddressFamily family) {
    this(
        driver,
        socket,
        family,
        new Readiness(SelectionKey.OP_READ),
        new Readiness(SelectionKey.OP_WRITE));
  }

  NioEndpoint(
      NioDriver driver,
      NioSocket<C> socket,
      AddressFamily family,
      Readiness reading,
      Readiness writing) {
    super(driver, socket, reading, writing);
    this.driver = driver;
    this.family = family;
  }

  final NioDriver driver() {
    return driver;
  }

  final AddressFamily family() {
    return family;
  }

  /**
   * Makes a call as soon as it makes sense: the one loop of all operations.
   *
   * @param waker null to try, whatever is known
   * @param wanted bytes that the call moves if it can; fewer mean that nothing is left. 0 if that
   *     cannot be told
   * @return what the call says, or {@link #MUST_WAIT} if it would be in vain now, or was
   */
  final long pollIo(
      Readiness side,
      @Nullable Waker waker,
      NioCall<? super C> call,
      ByteBuffer one,
      MemorySegment[] many,
      long wanted)
      throws IOException {
    StackRoom.forCalls(); // the JDK must not be left with a lock, nor we with a use
    use();
    try {
      boolean asks = LastLook.isUnderWay();
      if (asks && waker != null) {
        side.clear(); // of a wait before, if it succeeds now
      }
      while (waker == null || asks || !mustWait(side, waker)) {
        int events = side.events();
        long n = call.make(descriptor().channel(), one, many);
        if (n == NioCall.IN_VAIN) {
          side.drained(events);
          if (waker == null) {
            break;
          }
          asks = false;
          continue;
        }
        if (n > 0 && n < wanted) {
          side.drainedByShortCall(events);
        }
        return n;
      }
      return MUST_WAIT;
    } finally {
      descriptor().release();
    }
  }

  /** What a wait of {@code side} is for, as {@link java.nio.channels.SelectionKey} has it. */
  int operationsOf(Readiness side) {
    return side.interest();
  }

  @Override
  protected final void arm(Readiness side) throws IOException {
    NioSocket<C> socket = descriptor();
    socket.knownAs(key());
    driver.selector().arm(socket, operationsOf(side));
  }

  /**
   * What is done with a channel under {@link #calls}.
   *
   * @param <C> the channel's kind
   * @param <T> the answer
   */
  @FunctionalInterface
  interface StateCall<C, T> {
    T make(C channel) throws IOException;
  }

  /** Makes a call that does not wait, on the open channel. */
  final <T> T call(StateCall<? super C, T> call) throws IOException {
    StackRoom.forCalls();
    use();
    try {
      calls.lock();
      try {
        return call.make(descriptor().channel());
      } finally {
        calls.unlock();
      }
    } finally {
      descriptor().release();
    }
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    if (NioOptions.isIpv6Only(option, family) && value.equals(false)) {
      requireOpen();
      return;
    }
    try {
      call(channel -> {
        SocketOption<T> known = NioOptions.find(channel.supportedOptions(), option);
        if (known == null) {
          throw NioOptions.unknown(driver.name(), option, family);
        }
        NioOptions.set(channel, known, value);
        if (known.equals(StandardSocketOptions.SO_LINGER)) {
          descriptor().lingers((Integer) value > 0); // in use: whoever closes after this sees it
        }
        return known;
      });
    } catch (IOException e) {
      throw NioErrors.of("set " + option.name(), e);
    }
  }

  @Override
  public <T> T option(SocketOption<T> option) throws IOException {
    if (NioOptions.isIpv6Only(option, family)) {
      requireOpen();
      return option.type().cast(false);
    }
    try {
      return call(channel -> {
        SocketOption<T> known = NioOptions.find(channel.supportedOptions(), option);
        if (known == null) {
          throw NioOptions.unknown(driver.name(), option, family);
        }
        return NioOptions.get(channel, known);
      });
    } catch (IOException e) {
      throw NioErrors.of("get " + option.name(), e);
    }
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    SocketAddress name = NioNames.toJdk(local, driver.name());
    bind(local, channel -> channel.bind(name));
  }

  /** Binds by {@code call}; an address that a closed socket is about to give up is waited for. */
  final void bind(SocketAddress local, StateCall<? super C, ?> call) throws IOException {
    BooleanSupplier lingering = driver.lingering();
    IOException first = null;
    for (boolean mayBeFreed = true; ; mayBeFreed = lingering.getAsBoolean()) {
      try {
        call(channel -> {
          call.make(channel);
          descriptor().markBound();
          return channel;
        });
        return;
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException | IllegalArgumentException | IllegalStateException e) {
        if (first == null) { // the JDK may have done half of it, and complain of that later
          first = NioErrors.binding(local, e);
        }
        if (!mayBeFreed || !NioErrors.isInUse(e)) {
          throw first;
        }
      }
    }
  }

  @Override
  public SocketAddress localAddress() throws IOException {
    return call(channel -> NioNames.fromJdk(channel.getLocalAddress(), family));
  }

  /** The answer to a question for a peer. */
  final SocketAddress peer(@Nullable SocketAddress remote) throws SocketException {
    if (remote == null) {
      throw new SocketException("remote address: Transport endpoint is not connected");
    }
    return NioNames.fromJdk(remote, family);
  }
}
