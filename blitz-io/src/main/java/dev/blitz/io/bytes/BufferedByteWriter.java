package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Takes small pieces, numbers and texts, and passes them on to another writer in large ones.
 *
 * {@snippet :
 * var out = BufferedByteWriter.of(stream);
 * out.writeInt(name.length).await();
 * out.writeAll(ByteBuffer.wrap(name)).await();
 * out.flush().await(); // now, and not before, it goes to the peer
 * }
 *
 * <p><b>Flush.</b> What was written stays here until the buffer is full, or {@code flush} or {@code
 * shutdown}. Flush before you wait for an answer, and shut down, or flush, before you close the
 * stream below: what is still here is lost with this object. That is why it has no {@code close}.
 *
 * <p>A number is written as a whole, or, if its future is dropped, not at all. A dropped flush or
 * shutdown has lost nothing: the next one goes on. Numbers are big-endian unless another order is
 * given. There can be one write at a time, as with every stream.
 */
public final class BufferedByteWriter extends GuardedWriter {
  private static final int CAPACITY = 8192;

  private final ByteWriter below;
  private final int capacity;
  private final OutputBuffer buffer;
  private boolean ended;

  private BufferedByteWriter(ByteWriter below, int capacity) {
    this.below = below;
    this.capacity = capacity;
    this.buffer = new OutputBuffer(capacity);
  }

  /** A buffer of 8 KB; {@code below} itself if it is buffered. */
  public static BufferedByteWriter of(ByteWriter below) {
    return below instanceof BufferedByteWriter buffered ? buffered : ofCapacity(CAPACITY, below);
  }

  /** A buffer of {@code capacity} bytes, at least 8, made when it is first needed. */
  public static BufferedByteWriter ofCapacity(int capacity, ByteWriter below) {
    if (capacity < Long.BYTES) {
      throw new IllegalArgumentException("no room for a number of 8 bytes: " + capacity);
    }
    return new BufferedByteWriter(below, capacity);
  }

  // --- The poll tier ---

  /**
   * Waits until there is room for {@code count} bytes, at most the capacity.
   *
   * @return whether there is: then {@link #room} has it; if not, the waker has been kept
   */
  public boolean pollRoom(Context cx, int count) throws IOException {
    writing.claim(cx);
    try {
      return makeRoom(cx, count);
    } finally {
      writing.release();
    }
  }

  /**
   * Where bytes can be put, from the position to the limit. Whoever moves the position has written
   * those before it. Valid until the next operation.
   */
  public ByteBuffer room() {
    return buffer.room();
  }

  /** How many bytes were written and not passed on yet. */
  int waiting() {
    return buffer.waiting().remaining();
  }

  /** See {@link #pollRoom}; the caller has the side. */
  boolean makeRoom(Context cx, int count) throws IOException {
    if (count > capacity) {
      throw new IllegalArgumentException(count + " bytes have no room in " + capacity);
    }
    requireNotEnded();
    return buffer.room().remaining() >= count || drain(cx);
  }

  private void requireNotEnded() throws IOException {
    if (ended) {
      throw new IOException("the output has been shut down");
    }
  }

  /** Passes on what waits; false while some of it does. */
  private boolean drain(Context cx) throws IOException {
    while (!buffer.isEmpty()) {
      int n = below.pollWrite(cx, buffer.waiting());
      if (n == PENDING) {
        return false;
      }
      if (n == 0) {
        throw new IOException(below + " has taken none of the bytes that were to be written");
      }
    }
    return true;
  }

  @Override
  int doWrite(Context cx, ByteBuffer source) throws IOException {
    requireNotEnded();
    if (!source.hasRemaining()) {
      return below.pollWrite(cx, source); // who is closed says so
    }
    if (!buffer.room().hasRemaining() && !drain(cx)) {
      return PENDING;
    }
    if (buffer.isEmpty() && source.remaining() >= capacity) {
      return below.pollWrite(cx, source); // nothing is gained by a copy
    }
    return cx.proceed() ? Buffers.move(source, buffer.room()) : PENDING;
  }

  /**
   * See {@link GuardedStream#doTransfer}: what is here goes first. Less than a buffer's worth is
   * better off behind it, in one piece.
   */
  long doTransfer(Context cx, DirectInput input) throws IOException {
    requireNotEnded();
    var behind = new Behind(input);
    long n = transferBelow(cx, behind);
    if (n != GuardedStream.BY_MEMORY || behind.present < capacity || buffer.isEmpty()) {
      return n; // with an empty buffer it has been asked already
    }
    return drain(cx) ? transferBelow(cx, input) : PENDING;
  }

  private long transferBelow(Context cx, DirectInput input) throws IOException {
    return switch (below) {
      case GuardedStream stream -> stream.pollTransfer(cx, input);
      case WriteHalf<?> half -> half.pollTransfer(cx, input);
      default -> GuardedStream.BY_MEMORY;
    };
  }

  /** All that waits here goes before the bytes of another, if those are enough. */
  private final class Behind implements DirectInput {
    private final DirectInput input;
    int present;

    Behind(DirectInput input) {
      this.input = input;
    }

    @Override
    public long move(Move move) throws IOException {
      return input.move((descriptor, position, most) -> {
        present = most;
        if (most < capacity) {
          return 0;
        }
        return buffer.isEmpty()
            ? move.make(descriptor, position, most)
            : move.makeBehind(buffer.waiting(), descriptor, position, most);
      });
    }
  }

  @Override
  boolean doFlush(Context cx) throws IOException {
    return drain(cx) && below.pollFlush(cx);
  }

  @Override
  boolean doShutdown(Context cx) throws IOException {
    ended = true;
    return drain(cx) && below.pollShutdown(cx);
  }

  @Override
  public void forgetWrite() {
    below.forgetWrite();
  }

  // --- Numbers ---

  /** Writes the lowest eight bits. */
  @CheckReturnValue
  public IoFuture<Done> writeByte(int value) {
    return new BufferedWrites.OneNumber(this, value, Byte.BYTES, ByteOrder.BIG_ENDIAN);
  }

  /** Writes the lowest sixteen bits. */
  @CheckReturnValue
  public IoFuture<Done> writeShort(int value) {
    return writeShort(value, ByteOrder.BIG_ENDIAN);
  }

  /** Writes the lowest sixteen bits. */
  @CheckReturnValue
  public IoFuture<Done> writeShort(int value, ByteOrder order) {
    return new BufferedWrites.OneNumber(this, value, Short.BYTES, order);
  }

  /** Writes four bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeInt(int value) {
    return writeInt(value, ByteOrder.BIG_ENDIAN);
  }

  /** Writes four bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeInt(int value, ByteOrder order) {
    return new BufferedWrites.OneNumber(this, value, Integer.BYTES, order);
  }

  /** Writes eight bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeLong(long value) {
    return writeLong(value, ByteOrder.BIG_ENDIAN);
  }

  /** Writes eight bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeLong(long value, ByteOrder order) {
    return new BufferedWrites.OneNumber(this, value, Long.BYTES, order);
  }

  /** Writes four bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeFloat(float value) {
    return writeFloat(value, ByteOrder.BIG_ENDIAN);
  }

  /** Writes four bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeFloat(float value, ByteOrder order) {
    return writeInt(Float.floatToRawIntBits(value), order);
  }

  /** Writes eight bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeDouble(double value) {
    return writeDouble(value, ByteOrder.BIG_ENDIAN);
  }

  /** Writes eight bytes. */
  @CheckReturnValue
  public IoFuture<Done> writeDouble(double value, ByteOrder order) {
    return writeLong(Double.doubleToRawLongBits(value), order);
  }

  // --- Text ---

  /** Writes {@code text} as UTF-8. Dropped, it has written some of it, or nothing. */
  @CheckReturnValue
  public IoFuture<Done> writeText(String text) {
    return writeText(text, StandardCharsets.UTF_8);
  }

  /** As {@link #writeText(String)} in another charset. */
  @CheckReturnValue
  public IoFuture<Done> writeText(String text, Charset charset) {
    return writeAll(ByteBuffer.wrap(text.getBytes(charset)));
  }

  @Override
  public String toString() {
    return buffer + " before " + below;
  }
}
