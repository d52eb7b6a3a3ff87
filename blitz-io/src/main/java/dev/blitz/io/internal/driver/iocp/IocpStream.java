package dev.blitz.io.internal.driver.iocp;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.NotYetConnectedException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection on one of the JDK's asynchronous channels. What is read and written passes through
 * memory of our own, so that a drop is instant and nothing is lost by it: a read that nobody waits
 * for any more is kept, and the next reader gets what it brings.
 *
 * <p>A read asks for no more than its reader has room for: what nobody has asked for stays with the
 * kernel, which resets the connection if it is closed then. Nor does it ask for much more than
 * reads have brought of late ({@link ReadSize}), as it keeps its memory until something comes.
 */
/* Implementation notes
 *
 *   field                | writer                        | reader  | mode
 *   reading.phase        | owner begins and takes,       | both    | volatile
 *                        | handler ends                  |         |
 *   reading.result, .failure | handler, before phase     | owner   | plain, by phase
 *   connecting           | the same                      |         |
 *   sending              | owner begins, handler ends    | owner, close, shutdownOutput | volatile; written under the lock
 *   outputEnded          | shutdownOutput, under the lock | owner, handler | volatile
 *   broken, writeFailure | handlers                      | owners  | volatile; once
 *   out                  | owner, while not sending; handler, while sending, | the same | plain, by sending
 *                        | under the lock                |         |
 *   behind               | owner fills it while sending; | the same | under the lock
 *                        | handler takes it              |         |
 *
 * Reading. `in` is the owner's, but for the part that a pending read fills. While phase is PENDING nobody may give its memory away,
 * whatever else is known of the connection: a writer may find it broken first, and the system still write to that memory.
 *
 * Sending. The owner copies into `out` while nothing is sent, and begins; the handler goes on until all is sent. Who ends the output
 * or closes meanwhile leaves that to the handler: it looks for both, under the lock, when it has ended the sending.
 *
 * `out` belongs to whom `sending` says. The owner writes it, then sets sending, then begins the write: what the handler reads has
 * passed through the JDK, which hands an operation over to its thread. The handler replaces it (by what was left behind, or by nothing,
 * when its memory goes back) and then, if nothing is left, clears sending. The owner reads sending before `out`: this volatile pair is
 * all that orders the two, so no write of `out` may come after sending is false. From one handler to the next it passes through the JDK.
 *
 * `behind` is not null only while sending. A try puts it there under the lock, having seen sending there; the handler takes it, or
 * else clears sending, in one hold of the lock. So what was left behind is always taken, by a handler that has not ended; and a try
 * that comes too late is told so (NOT_SENDING), and begins a write of its own. It is sent before an end of the output or a close takes
 * effect, as both wait for sending; if the sending fails it is lost with the rest, which the next write is told.
 */
final class IocpStream extends IocpEndpoint implements StreamEndpoint {
  private static final long NOT_SENDING = Long.MIN_VALUE;
  private static final MemorySegment[] NONE = {};

  private final AsynchronousSocketChannel channel;

  /** One operation of the JDK's at a time, and who waits for it. */
  private static final class Side<T extends @Nullable Object> extends WakerSlot
      implements CompletionHandler<T, @Nullable Void> {
    private static final int IDLE = 0;
    private static final int PENDING = 1;
    private static final int DONE = 2;

    private volatile int phase;
    private @Nullable T result;
    private @Nullable Throwable failure;

    @Override
    public void completed(T value, @Nullable Void nothing) {
      result = value;
      phase = DONE;
      wake();
    }

    @Override
    public void failed(Throwable cause, @Nullable Void nothing) {
      failure = cause;
      phase = DONE;
      wake();
    }

    boolean isPending() {
      return phase == PENDING;
    }
  }

  private final Side<Integer> reading = new Side<>();
  private final Side<@Nullable Void> connecting = new Side<>();
  private final WakerSlot writing = new WakerSlot();

  private final IncomingBytes in = new IncomingBytes();
  private final ReadSize size = new ReadSize();

  /** What the pending read has asked for. */
  private int asked;

  private boolean atEnd;

  /** What broke the connection: told to every reader, whoever has found it. */
  private volatile @Nullable Throwable broken;

  private volatile boolean inputEnded;

  private ByteBuffer out = SpareMemory.NONE;

  /** What a try has left behind {@link #out}, which is being sent; under the lock. */
  private @Nullable ByteBuffer behind;

  private volatile boolean sending;
  private volatile boolean outputEnded;
  private volatile @Nullable Throwable writeFailure;

  private final CompletionHandler<Integer, @Nullable Void> sender =
      new CompletionHandler<>() {
        @Override
        public void completed(Integer sent, @Nullable Void nothing) {
          if (out.hasRemaining()) {
            goOn();
          } else {
            sent(null);
          }
        }

        @Override
        public void failed(Throwable cause, @Nullable Void nothing) {
          sent(cause);
        }
      };

  IocpStream(IocpDriver driver, AsynchronousSocketChannel channel) {
    super(driver, channel);
    this.channel = channel;
  }

  @Override
  public void bind(SocketAddress local) throws IOException {
    call(() -> {
      try {
        return channel.bind(local);
      } catch (IOException | RuntimeException e) {
        throw IocpErrors.binding(local, e);
      }
    });
  }

  @Override
  public SocketAddress remoteAddress() throws IOException {
    return named(call(channel::getRemoteAddress), "is not connected");
  }

  // --- Connecting ---

  @Override
  public boolean pollConnect(SocketAddress remote, Waker waker) throws IOException {
    if (connecting.phase == Side.IDLE) {
      call(() -> {
        connecting.phase = Side.PENDING;
        try {
          channel.connect(remote, null, connecting);
        } catch (Throwable t) {
          connecting.phase = Side.IDLE;
          if (t instanceof RuntimeException e) { // of a family that this machine does not have
            throw IocpErrors.connecting(remote, e);
          }
          throw t;
        }
        return null;
      });
    }
    connecting.set(waker);
    requireOpen(); // close() may have looked for the waker just before
    if (connecting.isPending()) {
      return false;
    }
    connecting.clear();
    Throwable failure = connecting.failure;
    if (failure != null) {
      throw IocpErrors.connecting(remote, failure);
    }
    return true;
  }

  // --- Reading ---

  @Override
  public int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) read(target, NONE, waker, false);
  }

  @Override
  public int pollPeek(ByteBuffer target, @Nullable Waker waker) throws IOException {
    return (int) read(target, NONE, waker, true);
  }

  @Override
  public long pollReadVectored(MemorySegment[] targets, @Nullable Waker waker) throws IOException {
    return read(null, first(targets), waker, false);
  }

  private static MemorySegment[] first(MemorySegment[] segments) {
    return Arrays.copyOf(segments, Math.min(segments.length, IocpTuning.MOST_VECTORS));
  }

  /** Into {@code one}, or else into {@code many}; takes no memory if it is in vain. */
  private long read(
      @Nullable ByteBuffer one, MemorySegment[] many, @Nullable Waker waker, boolean peek)
      throws IOException {
    for (; ; ) {
      requireOpen();
      if (inputEnded) {
        return EOF;
      }
      takeResult();
      int there = in.size();
      if (there > 0) {
        if (peek) {
          readMoreThan(there, wanted(one, many));
        }
        long n = in.copyTo(one == null ? many : segments(one), peek);
        restIfUnused();
        return n;
      }
      Throwable failure = broken;
      if (failure != null || atEnd) {
        restIfUnused();
      }
      if (failure != null) {
        throw IocpErrors.of("read", failure);
      }
      if (atEnd) {
        return EOF;
      }
      boolean begins = reading.phase == Side.IDLE;
      if (begins) {
        int wanted = wanted(one, many);
        beginRead(peek ? wanted : size.of(wanted));
      }
      // A last look is not to cost each connection a moment: a read from before has had its time.
      if (waker == null || (begins && LastLook.isUnderWay())) {
        driver.awaitBriefly(() -> !reading.isPending());
        if (!reading.isPending()) {
          continue;
        }
        if (waker == null) {
          return PENDING;
        }
      }
      reading.set(waker);
      if (reading.isPending() && isOpen() && !inputEnded) {
        return PENDING;
      }
      reading.clear();
    }
  }

  /**
   * A pending read may still write to the memory, also if a writer has found the connection broken.
   */
  private void restIfUnused() {
    if (in.size() == 0 && reading.phase == Side.IDLE) {
      in.rest();
    }
  }

  private static MemorySegment[] segments(ByteBuffer one) {
    return new MemorySegment[] {MemorySegment.ofBuffer(one)};
  }

  private static int wanted(@Nullable ByteBuffer one, MemorySegment[] many) {
    long wanted = one == null ? 0 : one.remaining();
    for (MemorySegment segment : many) {
      wanted += segment.byteSize();
    }
    return (int) Math.min(wanted, IocpTuning.MOST_IN);
  }

  /** What a peek has shown stays here, so what came later has to be fetched beside it. */
  private void readMoreThan(int there, int wanted) throws IOException {
    if (wanted > there && reading.phase == Side.IDLE && !atEnd && broken == null) {
      beginRead(wanted - there);
    }
  }

  private void beginRead(int wanted) throws IOException {
    ByteBuffer room = in.room(wanted);
    asked = room.remaining();
    call(() -> {
      reading.phase = Side.PENDING;
      try {
        channel.read(room, null, reading);
      } catch (Throwable t) {
        reading.phase = Side.IDLE;
        throw t;
      }
      return null;
    });
  }

  private void takeResult() {
    if (reading.phase != Side.DONE) {
      return;
    }
    Integer n = reading.result;
    if (n == null) {
      broken = reading.failure;
    } else if (n < 0) {
      atEnd = true;
    } else {
      in.received(n);
      size.brought(asked, n);
    }
    reading.result = null;
    reading.failure = null;
    reading.phase = Side.IDLE;
  }

  @Override
  public void forgetReader() {
    reading.clear();
  }

  @Override
  public void shutdownInput() throws IOException {
    inputEnded = true;
    call(() -> {
      try {
        return channel.shutdownInput();
      } catch (IOException | RuntimeException e) {
        throw IocpErrors.of("shutdown", e);
      }
    });
    reading.wake();
  }

  // --- Writing ---

  @Override
  public int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return (int) write(source, NONE, waker);
  }

  @Override
  public long pollWriteVectored(MemorySegment[] sources, @Nullable Waker waker) throws IOException {
    return write(null, first(sources), waker);
  }

  private long write(@Nullable ByteBuffer one, MemorySegment[] many, @Nullable Waker waker)
      throws IOException {
    for (; ; ) {
      requireWritable();
      if (!sending) {
        return take(one == null ? many : segments(one));
      }
      if (waker == null) {
        driver.awaitBriefly(() -> !sending);
        if (sending) {
          long taken = takeBehind(one == null ? many : segments(one));
          if (taken != NOT_SENDING) {
            return taken;
          }
        }
        continue;
      }
      writing.set(waker);
      if (sending && isOpen() && !outputEnded) {
        return PENDING;
      }
      writing.clear();
    }
  }

  private void requireWritable() throws IOException {
    requireOpen();
    Throwable failure = writeFailure;
    if (failure != null) {
      throw IocpErrors.of("write", failure);
    }
    if (outputEnded) {
      throw new SocketException("write: the output of this connection has ended");
    }
  }

  /**
   * A try has no other chance: whoever closes says so behind what is being sent. A little, and
   * once; the next one is told to wait.
   */
  private long takeBehind(MemorySegment[] sources) throws IOException {
    int taken = taken(sources);
    if (taken > IocpTuning.MOST_BEHIND) {
      return PENDING;
    }
    ByteBuffer next = SpareMemory.take(taken);
    copy(sources, next, taken);
    long answer =
        call(() -> {
          requireWritable();
          if (!sending) {
            return NOT_SENDING;
          }
          if (behind != null) {
            return (long) PENDING;
          }
          behind = next;
          return (long) taken;
        });
    if (answer < 0) {
      SpareMemory.give(next);
    }
    return answer;
  }

  private static int taken(MemorySegment[] sources) {
    long offered = 0;
    for (MemorySegment source : sources) {
      offered += source.byteSize();
    }
    return (int) Math.min(offered, IocpTuning.MOST_OUT);
  }

  private static void copy(MemorySegment[] sources, ByteBuffer target, int taken) {
    MemorySegment memory = MemorySegment.ofBuffer(target.clear());
    long copied = 0;
    for (MemorySegment source : sources) {
      long n = Math.min(source.byteSize(), taken - copied);
      MemorySegment.copy(source, 0, memory, copied, n);
      copied += n;
    }
    target.limit(taken);
  }

  private long take(MemorySegment[] sources) throws IOException {
    int taken = taken(sources);
    if (out.capacity() < taken) {
      out = SpareMemory.take(taken);
    }
    copy(sources, out, taken);
    call(() -> {
      requireWritable(); // what is taken must be sent before an end of the output
      sending = true;
      try {
        channel.write(out, null, sender);
      } catch (Throwable t) {
        sending = false;
        throw t;
      }
      return null;
    });
    driver.sent();
    return taken;
  }

  /** On a thread of the group's: the rest. */
  private void goOn() {
    try {
      channel.write(out, null, sender);
    } catch (Throwable t) { // it has been closed
      sent(t);
    }
  }

  private void sent(@Nullable Throwable cause) {
    boolean more;
    lock.lock();
    try {
      ByteBuffer next = behind;
      behind = null;
      more = cause == null && next != null;
      if (more) {
        SpareMemory.give(out);
        out = Objects.requireNonNull(next); // whoever writes waits until all has been sent
      } else {
        allSent(cause);
      }
    } finally {
      lock.unlock();
    }
    if (more) {
      goOn();
    } else {
      writing.wake();
    }
  }

  /** Under the lock. */
  private void allSent(@Nullable Throwable cause) {
    if (cause == null) {
      out = SpareMemory.give(out); // before the owner may use it
    } else {
      writeFailure = cause;
      if (IocpErrors.isBroken(cause) && broken == null && isOpen()) {
        broken = cause;
      }
    }
    sending = false;
    if (!isOpen()) {
      closeChannel();
      driver.lingersNoMore(this);
    } else if (outputEnded && cause == null) {
      endOutput();
    }
  }

  @Override
  public void forgetWriter() {
    writing.clear();
    connecting.clear();
  }

  @Override
  public void awaitClose(Waker waker) {
    writing.set(waker);
  }

  @Override
  public void shutdownOutput() throws IOException {
    IOException failure =
        call(() -> {
          outputEnded = true;
          return sending ? null : endOutput();
        });
    writing.wake();
    if (failure != null) {
      throw failure;
    }
  }

  /** Under the lock; what went wrong, if the peer has not ended all of it. */
  private @Nullable IOException endOutput() {
    try {
      channel.shutdownOutput();
      return null;
    } catch (NotYetConnectedException e) {
      return IocpErrors.of("shutdown", e);
    } catch (IOException e) {
      return null;
    }
  }

  // --- The end ---

  @Override
  void closing() {
    if (sending) {
      driver.lingers(this); // the handler closes it
    } else {
      closeChannel();
    }
  }

  /** It has had its time: what was not sent is lost. */
  void closeAtLast() {
    lock.lock();
    try {
      closeChannel();
    } finally {
      lock.unlock();
    }
  }

  @Override
  void wakeAll() {
    reading.wake();
    writing.wake();
    connecting.wake();
  }
}
