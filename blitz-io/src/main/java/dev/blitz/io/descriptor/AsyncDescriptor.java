package dev.blitz.io.descriptor;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.Vectors;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor that can be waited for: a pipe, a FIFO, a terminal, a process, an event counter, a
 * socket of another maker. It is a stream, as far as its kind allows: one end of a pipe can be read
 * or written only, a process neither. {@link #readable} and {@link #writable} tell when a call of
 * your own makes sense. It belongs to the runtime whose task made it.
 *
 * <p>Regular files and directories are refused: nobody can wait for them, as the system always says
 * that they are ready, and then keeps the thread.
 *
 * {@snippet :
 * try (var input = AsyncDescriptor.reopen(0)) { // the program's own input, if it is a pipe or a terminal
 *   var buffer = ByteBuffer.allocate(4096);
 *   while (input.read(buffer.clear()).await() >= 0) {
 *     handle(buffer.flip());
 *   }
 * }
 * }
 */
public final class AsyncDescriptor extends GuardedStream {
  private final DescriptorEndpoint endpoint;
  private final String name;
  private final Cleaner.Cleanable unclosed;

  /** Whether the output has been ended; the writing side's. */
  private boolean ended;

  private AsyncDescriptor(DescriptorEndpoint endpoint, String name) {
    this.endpoint = endpoint;
    this.name = name;
    unclosed = LostHandles.watch(this, endpoint, "AsyncDescriptor");
  }

  private static AsyncDescriptor owning(DescriptorEndpoint endpoint, String name) {
    try {
      return new AsyncDescriptor(endpoint, name);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  /**
   * Takes over {@code number}, which from now on nobody else may use: it is made non-blocking, and
   * closed with this object, or at once if this fails. Whoever has the other end of a pipe keeps it
   * as it is.
   *
   * @throws IOException if it is not open, or of a kind that cannot be waited for
   * @throws IllegalArgumentException for 0, 1 and 2: other programs share them, and their reads and
   *     writes must go on waiting. {@link #reopen} them
   * @throws IllegalStateException if called outside a task
   * @throws UnsupportedOperationException if the runtime has no I/O backend, or one that takes over
   *     no descriptors, as {@code nio}; the message says why, and the number stays the caller's
   */
  public static AsyncDescriptor adopt(int number) throws IOException {
    return owning(services().driver().endpoints().adopt(number), "descriptor " + number);
  }

  /**
   * Opens what {@code number} is once more: a pipe, a FIFO or a terminal. The number, and whoever
   * else has it, is not touched, and stays the caller's. A socket is duplicated.
   *
   * @throws IOException as {@link #adopt}; also if the system does not let it be opened, as with a
   *     terminal of another user
   */
  public static AsyncDescriptor reopen(int number) throws IOException {
    return owning(
        services().driver().endpoints().reopen(number), "what descriptor " + number + " is");
  }

  /**
   * Both ends of a new pipe.
   *
   * @return the one to read from, and the one to write to
   */
  public static AsyncDescriptor[] pipe() throws IOException {
    Driver driver = services().driver(); // a stranger is told before anything is opened
    if (!driver.endpoints().takesDescriptors()) {
      throw new UnsupportedOperationException(driver.name() + " has no pipes of descriptors");
    }
    Pipe made = Pipe.open();
    AsyncDescriptor reader = null;
    try {
      reader = adopt(made.reader());
      return new AsyncDescriptor[] {reader, adopt(made.writer())};
    } catch (Throwable t) {
      if (reader == null) {
        PosixCalls.close(made.writer());
      } else {
        reader.close();
      }
      throw t;
    }
  }

  private static Services services() {
    return Services.required("a descriptor");
  }

  // --- Waiting ---

  /**
   * Waits until a read would not wait: something is there, or the other end is gone, or an error.
   * For a process ({@code pidfd}), until it has ended; for a listening socket, until somebody has
   * connected. It is a read: there can be one at a time.
   */
  @CheckReturnValue
  public IoFuture<Done> readable() {
    return reading(cx -> {
      if (!cx.proceed()) {
        return null;
      }
      return ready(cx, endpoint.pollReadable(cx.waker()));
    });
  }

  /** Waits until a write would not wait. It is a write: there can be one at a time. */
  @CheckReturnValue
  public IoFuture<Done> writable() {
    return writing(cx -> {
      if (!cx.proceed()) {
        return null;
      }
      return ready(cx, endpoint.pollWritable(cx.waker()));
    });
  }

  private static @Nullable Done ready(Context cx, boolean ready) {
    if (!ready) {
      cx.refund();
      return null;
    }
    return Done.DONE;
  }

  // --- Bytes ---

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return nothing();
    }
    return Vectors.moved(cx, target, endpoint.pollRead(target, cx.waker()));
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!source.hasRemaining()) {
      return nothing();
    }
    return Vectors.moved(cx, source, endpoint.pollWrite(source, cx.waker()));
  }

  @Override
  protected int doTryRead(ByteBuffer target) throws IOException {
    return target.hasRemaining()
        ? Vectors.tried(target, endpoint.pollRead(target, null))
        : nothing();
  }

  @Override
  protected int doTryWrite(ByteBuffer source) throws IOException {
    return source.hasRemaining()
        ? Vectors.tried(source, endpoint.pollWrite(source, null))
        : nothing();
  }

  @Override
  protected long doReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(targets);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollReadVectored(segments, cx.waker());
    Vectors.moved(cx, targets, n);
    return n;
  }

  @Override
  protected long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(sources);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollWriteVectored(segments, cx.waker());
    Vectors.moved(cx, sources, n);
    return n;
  }

  private int nothing() throws ClosedChannelException {
    if (!endpoint.isOpen()) {
      throw new ClosedChannelException();
    }
    return 0;
  }

  /** Nothing to do: what was written is with the system. */
  @Override
  protected boolean doFlush(Context cx) throws IOException {
    nothing();
    return true;
  }

  /** Closes what can only be written to, so that its reader finds the end. */
  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    if (!ended) {
      endpoint.shutdownOutput();
      ended = true;
    }
    return true;
  }

  @Override
  public void forgetRead() {
    endpoint.forgetReader();
  }

  @Override
  public void forgetWrite() {
    endpoint.forgetWriter();
  }

  // --- Ending ---

  /** Whether it has not been closed. */
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  /**
   * Closes it. Pending operations end with {@link java.nio.channels.ClosedChannelException}. What
   * was written to a pipe can still be read at its other end.
   */
  @Override
  public void close() {
    endpoint.close();
    unclosed.clean();
  }

  @Override
  public String toString() {
    return "AsyncDescriptor[" + (endpoint.isOpen() ? name : "closed") + "]";
  }
}
