package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads from another reader in large pieces, and gives them out in small ones: numbers, arrays,
 * frames.
 *
 * {@snippet :
 * var in = BufferedByteReader.of(stream);
 * int version = in.readUnsignedByte().await();
 * byte[] name = in.readExactly(in.readInt().await()).await();
 * }
 *
 * <p>A read that is dropped has taken nothing: all bytes of a number or an array are taken at once,
 * when they are there. The same is true if the stream ends before: {@link java.io.EOFException},
 * and what came can still be read otherwise. Numbers are big-endian unless another order is given.
 *
 * <p>There can be one read at a time, as with every stream. Whoever reads from the reader below
 * meanwhile misses what has been read ahead. The buffer grows beyond its capacity only while more
 * bytes are asked for at once, and only by bytes that have come.
 */
public final class BufferedByteReader extends GuardedReader implements AutoCloseable {
  /** Enough for a few packets; little beside the memory that the system keeps for a socket. */
  static final int CAPACITY = 8192;

  private final ByteReader below;
  private final int capacity;
  private final InputBuffer buffer;

  BufferedByteReader(ByteReader below, int capacity, int most) {
    this.below = below;
    this.capacity = capacity;
    this.buffer = new InputBuffer(capacity, most);
  }

  /** A buffer of 8 KB; {@code below} itself if it is buffered. */
  public static BufferedByteReader of(ByteReader below) {
    return below instanceof BufferedByteReader buffered ? buffered : ofCapacity(CAPACITY, below);
  }

  /** A buffer of {@code capacity} bytes, made when it is first needed. */
  public static BufferedByteReader ofCapacity(int capacity, ByteReader below) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity + " holds nothing");
    }
    return new BufferedByteReader(below, capacity, capacity);
  }

  // --- The poll tier ---

  /**
   * Waits until at least {@code count} bytes are {@linkplain #buffered() buffered}.
   *
   * @return how many are; {@link #EOF} if the stream ends before: fewer are, and no more will come;
   *     or {@link #PENDING}
   */
  public int pollFill(Context cx, int count) throws IOException {
    reading.claim(cx);
    try {
      return fill(cx, count);
    } finally {
      reading.release();
    }
  }

  /** See {@link #pollFill}; the caller has the side. */
  int fill(Context cx, int count) throws IOException {
    for (int have = buffer.size(); have < count; have = buffer.size()) {
      int n = below.pollRead(cx, buffer.room());
      if (n < 0) {
        return n;
      }
      if (n == 0) {
        throw new IOException(below + " has read nothing into a buffer that has room");
      }
    }
    return buffer.size();
  }

  /**
   * The bytes that were read ahead, from the position to the limit. Whoever moves the position has
   * taken those before it. Valid until the next operation; not to be written to.
   */
  public ByteBuffer buffered() {
    return buffer.bytes();
  }

  /** How many bytes have been taken since the first. */
  long consumed() {
    return buffer.consumed();
  }

  @Override
  int doRead(Context cx, ByteBuffer target) throws IOException {
    if (buffer.size() == 0) {
      if (target.remaining() >= capacity || !target.hasRemaining()) {
        return below.pollRead(cx, target); // nothing is gained by a copy
      }
      int n = fill(cx, 1);
      if (n < 0) {
        return n;
      }
    } else if (!cx.proceed()) {
      return PENDING;
    }
    return Buffers.move(buffer.bytes(), target);
  }

  @Override
  public void forgetRead() {
    below.forgetRead();
  }

  // --- Numbers ---

  /** The next byte, from -128 to 127. */
  @CheckReturnValue
  public IoFuture<Byte> readByte() {
    return new BufferedReads.OneNumber<>(this, Byte.BYTES, ByteOrder.BIG_ENDIAN, n -> (byte) n);
  }

  /** The next byte, from 0 to 255. */
  @CheckReturnValue
  public IoFuture<Integer> readUnsignedByte() {
    return new BufferedReads.OneNumber<>(
        this, Byte.BYTES, ByteOrder.BIG_ENDIAN, n -> (int) n & 0xff);
  }

  /** The next two bytes. */
  @CheckReturnValue
  public IoFuture<Short> readShort() {
    return readShort(ByteOrder.BIG_ENDIAN);
  }

  /** The next two bytes. */
  @CheckReturnValue
  public IoFuture<Short> readShort(ByteOrder order) {
    return new BufferedReads.OneNumber<>(this, Short.BYTES, order, n -> (short) n);
  }

  /** The next two bytes, from 0 to 65,535. */
  @CheckReturnValue
  public IoFuture<Integer> readUnsignedShort() {
    return readUnsignedShort(ByteOrder.BIG_ENDIAN);
  }

  /** The next two bytes, from 0 to 65,535. */
  @CheckReturnValue
  public IoFuture<Integer> readUnsignedShort(ByteOrder order) {
    return new BufferedReads.OneNumber<>(this, Short.BYTES, order, n -> (int) n & 0xffff);
  }

  /** The next four bytes. */
  @CheckReturnValue
  public IoFuture<Integer> readInt() {
    return readInt(ByteOrder.BIG_ENDIAN);
  }

  /** The next four bytes. */
  @CheckReturnValue
  public IoFuture<Integer> readInt(ByteOrder order) {
    return new BufferedReads.OneNumber<>(this, Integer.BYTES, order, n -> (int) n);
  }

  /** The next eight bytes. */
  @CheckReturnValue
  public IoFuture<Long> readLong() {
    return readLong(ByteOrder.BIG_ENDIAN);
  }

  /** The next eight bytes. */
  @CheckReturnValue
  public IoFuture<Long> readLong(ByteOrder order) {
    return new BufferedReads.OneNumber<>(this, Long.BYTES, order, n -> n);
  }

  /** The next four bytes. */
  @CheckReturnValue
  public IoFuture<Float> readFloat() {
    return readFloat(ByteOrder.BIG_ENDIAN);
  }

  /** The next four bytes. */
  @CheckReturnValue
  public IoFuture<Float> readFloat(ByteOrder order) {
    return new BufferedReads.OneNumber<>(
        this, Float.BYTES, order, n -> Float.intBitsToFloat((int) n));
  }

  /** The next eight bytes. */
  @CheckReturnValue
  public IoFuture<Double> readDouble() {
    return readDouble(ByteOrder.BIG_ENDIAN);
  }

  /** The next eight bytes. */
  @CheckReturnValue
  public IoFuture<Double> readDouble(ByteOrder order) {
    return new BufferedReads.OneNumber<>(this, Double.BYTES, order, Double::longBitsToDouble);
  }

  // --- Many bytes ---

  /** The next {@code count} bytes. */
  @CheckReturnValue
  public IoFuture<byte[]> readExactly(int count) {
    return new BufferedReads.Exactly(this, count);
  }

  /**
   * All bytes up to the end of the stream. If there are more than {@code limit}, the future fails
   * with {@link TooLongException}, and all can still be read otherwise.
   */
  @CheckReturnValue
  public IoFuture<byte[]> readToEnd(int limit) {
    return new BufferedReads.ToEnd(this, limit);
  }

  /** Reads {@code count} bytes for nothing. Dropped, it has skipped some of them. */
  @CheckReturnValue
  public IoFuture<Done> skip(long count) {
    return new BufferedReads.Skip(this, count);
  }

  /** Closes the reader below, if it can be closed. */
  @Override
  public void close() throws IOException {
    Closing.close(below);
  }

  @Override
  public String toString() {
    return buffer + " before " + below;
  }
}
