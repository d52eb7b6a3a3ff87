package dev.blitz.io.process;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the JDK that blocks, on one of whose sides a thread of the runtime waits while
 * somebody waits here: one call at a time, which goes on if its wait is dropped. What it brings is
 * then for the next who reads.
 */
/* Implementation notes
 *
 * One side is used, the other is null. While `busy` the call's thread has `bytes`; it is given back by the volatile
 * write that clears it, after which the waker is called. So whoever stores a waker and then sees busy will be woken.
 *
 *   reading   bytes: what has been read, from its position on; `ended` and `failure` come after the bytes
 *   writing   bytes: what the call writes; a failure is told to the next write, flush or shutdown
 */
final class BlockingStream extends GuardedStream {
  private static final int BYTES = 8192;

  private final Services services;
  private final @Nullable InputStream in;
  private final @Nullable OutputStream out;
  private final String name;
  private final WakerSlot waiter = new WakerSlot();
  private final ByteBuffer bytes = ByteBuffer.allocate(BYTES).limit(0);
  private boolean ended;
  private @Nullable IOException failure;
  private boolean shut;
  private volatile boolean busy;
  private volatile boolean closed;

  private BlockingStream(
      Services services, @Nullable InputStream in, @Nullable OutputStream out, String name) {
    this.services = services;
    this.in = in;
    this.out = out;
    this.name = name;
  }

  static BlockingStream from(Services services, InputStream in, String name) {
    return new BlockingStream(services, in, null, name);
  }

  static BlockingStream to(Services services, OutputStream out, String name) {
    return new BlockingStream(services, null, out, name);
  }

  @FunctionalInterface
  private interface Call {
    void make() throws IOException;
  }

  /** Whether the call of before is over; otherwise the waker is woken then. */
  private boolean isFree(Context cx) throws IOException {
    if (busy) {
      waiter.set(cx.waker());
      if (busy && !closed) {
        return false;
      }
      waiter.clear();
    }
    if (closed) {
      throw new ClosedChannelException();
    }
    return true;
  }

  private void begin(Call call) {
    busy = true;
    boolean begun = false;
    try {
      var wait = new PipeWait(call);
      JoinCell<Boolean> task = JoinCell.of(services.waitForPipe(wait));
      begun = true;
      if (!task.wakeAtEnd(wait)) {
        wait.wake();
      }
    } finally {
      if (!begun) {
        busy = false;
      }
    }
  }

  /** One call on a thread of the runtime; woken when its task has ended. */
  private final class PipeWait implements ThrowingSupplier<Boolean>, Waker {
    private final Call call;
    private volatile boolean over;

    PipeWait(Call call) {
      this.call = call;
    }

    @Override
    public Boolean get() {
      try {
        call.make();
      } catch (Throwable t) { // told to whoever reads or writes next
        failure = t instanceof IOException e ? e : new IOException(t);
      } finally {
        over = true;
        busy = false;
        waiter.wake();
      }
      return true;
    }

    /** The runtime was closed while it waited, or before it began: nobody will be told by it. */
    @Override
    public void wake() {
      if (!over) {
        closed = true;
        waiter.wake();
      }
    }
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      throw new IOException(name + ": " + failure.getMessage(), failure);
    }
  }

  // --- Reading ---

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    while (true) {
      if (!isFree(cx)) {
        cx.refund();
        return PENDING;
      }
      if (!target.hasRemaining()) {
        return 0;
      }
      if (bytes.hasRemaining()) {
        int n = Math.min(bytes.remaining(), target.remaining());
        target.put(target.position(), bytes, bytes.position(), n);
        target.position(target.position() + n);
        bytes.position(bytes.position() + n);
        return n;
      }
      throwFailure();
      if (ended) {
        return EOF;
      }
      begin(this::fill);
    }
  }

  private void fill() throws IOException {
    int n = required(in).read(bytes.array());
    ended = n < 0;
    bytes.position(0).limit(Math.max(0, n));
  }

  // --- Writing ---

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!isFree(cx)) {
      cx.refund();
      return PENDING;
    }
    throwFailure();
    if (shut) {
      throw new ClosedChannelException();
    }
    int n = Math.min(source.remaining(), BYTES);
    if (n > 0) {
      bytes.clear().put(0, source, source.position(), n).limit(n);
      source.position(source.position() + n);
      begin(this::drain);
    }
    return n;
  }

  private void drain() throws IOException {
    required(out).write(bytes.array(), 0, bytes.limit());
    required(out).flush();
  }

  @Override
  protected boolean doFlush(Context cx) throws IOException {
    if (!isFree(cx)) {
      return false;
    }
    throwFailure();
    return true;
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    if (!isFree(cx)) {
      return false;
    }
    throwFailure();
    if (!shut) {
      shut = true;
      required(out).close();
    }
    return true;
  }

  private static <S> S required(@Nullable S stream) {
    if (stream == null) {
      throw new UnsupportedOperationException("the other direction only");
    }
    return stream;
  }

  @Override
  public void forgetRead() {
    waiter.clear();
  }

  @Override
  public void forgetWrite() {
    waiter.clear();
  }

  /** A thread that waits inside a read stays there until the other end says or closes something. */
  @Override
  public void close() {
    closed = true;
    waiter.wake();
    Closeable open = in == null ? out : in;
    try {
      if (open != null) {
        services
            .closePipe(() -> {
              open.close();
              return true;
            })
            .detach();
      }
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      closeHere(open);
    }
  }

  /** Closes on this thread; a failure is only logged. */
  static void closeHere(@Nullable Closeable open) {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      FailureLog.tryLog(System.Logger.Level.DEBUG, "closing a pipe: " + e, null);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
