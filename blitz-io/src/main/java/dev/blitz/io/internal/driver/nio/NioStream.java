package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.QueueFullException;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.readiness.Readiness;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection: bytes move by a call of the channel inside the poll. */
final class NioStream extends NioEndpoint<SocketChannel> implements StreamEndpoint {
  private static final NioCall<SocketChannel> READ =
      (channel, one, many) -> NioCall.orInVain(NioBytes.read(channel, one));
  private static final NioCall<SocketChannel> READ_ALL =
      (channel, one, many) -> NioCall.orInVain(NioBytes.readAll(channel, many));
  private static final NioCall<SocketChannel> WRITE =
      (channel, one, many) -> NioCall.orInVain(NioBytes.write(channel, one));
  private static final NioCall<SocketChannel> WRITE_ALL =
      (channel, one, many) -> NioCall.orInVain(NioBytes.writeAll(channel, many));

  /** What was taken from the kernel to be looked at, and has not been read; the reading side's. */
  private final PeekedBytes peeked = new PeekedBytes();

  /** The words of the error that broke the connection; see {@code ReadinessStream}. */
  private volatile @Nullable String broken;

  /** Nothing is read any more: what the kernel still has is not for anybody. */
  private volatile boolean inputEnded;

  private boolean connecting;
  private volatile boolean connected;

  /** What a channel that takes this one's place has to be told; of Unix sockets only. */
  private final @Nullable Map<SocketOption<?>, Object> told;

  NioStream(
      NioDriver driver, NioSocket<SocketChannel> socket, AddressFamily family, boolean connected) {
    super(driver, socket, family);
    this.connected = connected;
    this.told = family == AddressFamily.UNIX && !connected ? new LinkedHashMap<>() : null;
  }

  // --- Connecting ---

  @Override
  public boolean pollConnect(SocketAddress remote, Waker waker) throws IOException {
    try {
      if (!connecting) {
        SocketAddress name = NioNames.toJdk(remote, driver().name());
        boolean stands = call(channel -> channel.connect(name));
        connecting = true; // not if there is no room: then it begins anew
        if (stands) {
          connected = true;
          return true;
        }
        writing.drained(writing.events());
      }
      if (pollIo(writing, waker, this::finishConnect, NO_BUFFER, NONE, 0) == MUST_WAIT) {
        return false;
      }
      connected = true;
      return true;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (told != null && NioErrors.isQueueFull(e)) {
        replaceChannel(told);
        throw new QueueFullException(
            "connect to " + remote + ": its queue of connections is full, and nobody accepts them");
      }
      throw NioErrors.connecting(remote, e);
    }
  }

  private long finishConnect(SocketChannel channel, ByteBuffer one, MemorySegment[] many)
      throws IOException {
    calls.lock();
    try {
      return channel.finishConnect() ? 1 : NioCall.IN_VAIN;
    } finally {
      calls.unlock();
    }
  }

  /** The JDK closes a channel whose connect has failed. */
  private void replaceChannel(Map<SocketOption<?>, Object> options) throws IOException {
    call(closed -> {
      SocketChannel fresh = NioDriver.openChannel(family());
      try {
        for (Map.Entry<SocketOption<?>, Object> option : options.entrySet()) {
          setRaw(fresh, option.getKey(), option.getValue());
        }
        SocketAddress local = closed.isOpen() ? closed.getLocalAddress() : null;
        if (local != null) {
          throw new SocketException("the JDK has closed the socket that was bound to " + local);
        }
      } catch (Throwable t) {
        fresh.close();
        throw t;
      }
      descriptor().replace(fresh);
      return fresh;
    });
  }

  @SuppressWarnings("unchecked") // as it was set once
  private static <T> void setRaw(SocketChannel channel, SocketOption<T> option, Object value)
      throws IOException {
    SocketOption<T> known = NioOptions.find(channel.supportedOptions(), option);
    if (known != null) {
      NioOptions.set(channel, known, (T) value);
    }
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    super.setOption(option, value);
    if (told != null && !connected) {
      told.put(option, value);
    }
  }

  @Override
  int operationsOf(Readiness side) {
    return side == writing && !connected ? SelectionKey.OP_CONNECT : side.interest();
  }

  @Override
  public SocketAddress remoteAddress() throws IOException {
    return peer(call(SocketChannel::getRemoteAddress));
  }

  // --- Reading ---

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    if (!peeked.isEmpty() && !inputEnded) {
      requireOpen();
      return peeked.read(target);
    }
    return (int) read(waker, READ, target, NONE, NioBytes.most(target));
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, @Nullable Waker waker) throws IOException {
    if (!peeked.isEmpty() && !inputEnded) {
      requireOpen();
      return peeked.read(targets);
    }
    return read(waker, READ_ALL, NO_BUFFER, targets, 0);
  }

  /** The JDK cannot look without taking: what is seen is kept here, for the next read. */
  @Override
  public int pollPeek(ByteBuffer target, @Nullable Waker waker) throws IOException {
    if (inputEnded) {
      return (int) read(waker, READ, NO_BUFFER, NONE, 0);
    }
    boolean isSeen = !peeked.isEmpty();
    if (peeked.isShortOf(target)) {
      try {
        // Beyond what is known it only tries: there is something to be seen already.
        long n = read(isSeen ? null : waker, peeked.fillFor(target), NO_BUFFER, NONE, 0);
        if (!isSeen && n < 0) {
          return (int) n;
        }
      } catch (IOException e) {
        if (!isSeen) {
          throw e;
        } // whoever reads on learns of it
      }
    }
    requireOpen();
    return peeked.peek(target);
  }

  private long read(
      @Nullable Waker waker,
      NioCall<SocketChannel> call,
      ByteBuffer one,
      MemorySegment[] many,
      long wanted)
      throws IOException {
    long n;
    try {
      n = pollIo(reading, waker, inputEnded ? (channel, o, m) -> EOF : call, one, many, wanted);
    } catch (IOException e) {
      throw failed("read", e);
    }
    if (n > 0) {
      return n;
    }
    if (n == MUST_WAIT) {
      return PENDING;
    }
    String words = broken;
    if (words != null && !inputEnded) {
      throw new SocketException("read: " + words);
    }
    return EOF;
  }

  /** The JDK's failure as ours; one that has broken the connection is kept. */
  private IOException failed(String what, IOException e) {
    if (e instanceof ClosedChannelException) {
      // The channel is in use: it is this side that has ended, or a connect that has failed.
      return isOpen() ? new SocketException(what + ": " + NioErrors.BROKEN_PIPE) : e;
    }
    String words = NioErrors.words(e);
    if (!words.equals(NioErrors.BROKEN_PIPE)) {
      broken = words; // the kernel tells one side only
    }
    return NioErrors.of(what, e);
  }

  // --- Writing ---

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) write(waker, WRITE, source, NONE, NioBytes.most(source));
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, @Nullable Waker waker) throws IOException {
    return write(waker, WRITE_ALL, NO_BUFFER, sources, 0);
  }

  private long write(
      @Nullable Waker waker,
      NioCall<SocketChannel> call,
      ByteBuffer one,
      MemorySegment[] many,
      long wanted)
      throws IOException {
    long n;
    try {
      n = pollIo(writing, waker, call, one, many, wanted);
    } catch (IOException e) {
      throw failed("write", e);
    }
    if (n == MUST_WAIT) {
      return PENDING;
    }
    driver().sent();
    return n;
  }

  // --- Waiting and ending ---

  @Override
  protected boolean isReady(Readiness side) {
    return super.isReady(side) || (inputEnded && side == reading);
  }

  @Override
  public void shutdownInput() throws IOException {
    inputEnded = true;
    try {
      call(SocketChannel::shutdownInput);
    } catch (IOException e) {
      throw NioErrors.of("shutdown", e);
    }
    reading.wake();
  }

  @Override
  public void shutdownOutput() throws IOException {
    try {
      call(SocketChannel::shutdownOutput);
    } catch (IOException e) {
      throw NioErrors.of("shutdown", e);
    }
    writing.signal(); // no event tells a writer that waits
  }

  /** As the kernel does with what nobody has read. */
  @Override
  protected void closing() {
    if (peeked.isHeld()) {
      descriptor().closesByReset();
    }
  }
}
