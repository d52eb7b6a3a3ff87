package dev.blitz.io.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes to be sent, which an {@link Encoder} appends to. Numbers are big-endian unless another
 * order is given. Belongs to its writer; not thread safe.
 */
public final class GrowingBuffer {
  private static final int FIRST_BYTES = 256;

  private byte[] array = new byte[FIRST_BYTES];
  private int size;

  /** Of those bytes, how many have been sent, is its position. */
  private ByteBuffer waiting = ByteBuffer.wrap(array);

  GrowingBuffer() {}

  /** How many bytes have been appended and not been sent. */
  public int size() {
    return size - waiting.position();
  }

  /** Appends one byte. */
  public GrowingBuffer put(int value) {
    room(1);
    array[size] = (byte) value;
    size++;
    return this;
  }

  /** Appends all of {@code bytes}. */
  public GrowingBuffer put(byte... bytes) {
    return put(bytes, 0, bytes.length);
  }

  /** Appends some of {@code bytes}. */
  public GrowingBuffer put(byte[] bytes, int offset, int length) {
    room(length);
    System.arraycopy(bytes, offset, array, size, length);
    size += length;
    return this;
  }

  /** Appends what remains in {@code bytes}, and moves its position on. */
  public GrowingBuffer put(ByteBuffer bytes) {
    int length = bytes.remaining();
    room(length);
    bytes.get(array, size, length);
    size += length;
    return this;
  }

  /** Appends two bytes. */
  public GrowingBuffer putShort(int value) {
    return putNumber(value, Short.BYTES, ByteOrder.BIG_ENDIAN);
  }

  /** Appends four bytes. */
  public GrowingBuffer putInt(int value) {
    return putNumber(value, Integer.BYTES, ByteOrder.BIG_ENDIAN);
  }

  /** Appends eight bytes. */
  public GrowingBuffer putLong(long value) {
    return putNumber(value, Long.BYTES, ByteOrder.BIG_ENDIAN);
  }

  /** Appends the lowest {@code bytes} bytes of {@code value}, from 1 to 8. */
  public GrowingBuffer putNumber(long value, int bytes, ByteOrder order) {
    if (bytes < 1 || bytes > Long.BYTES) {
      throw new IllegalArgumentException("a number of " + bytes + " bytes");
    }
    room(bytes);
    for (int i = 0; i < bytes; i++) {
      int next = order == ByteOrder.LITTLE_ENDIAN ? i : bytes - 1 - i;
      array[size + next] = (byte) (value >>> (Byte.SIZE * i));
    }
    size += bytes;
    return this;
  }

  private void room(int more) {
    if (more > array.length - size) {
      long wanted = Math.max((long) size + more, 2L * array.length);
      int capacity = (int) Math.min(wanted, Integer.MAX_VALUE - 8);
      if (capacity - size < more) {
        throw new OutOfMemoryError("more bytes are to be sent than an array can have");
      }
      byte[] larger = Arrays.copyOf(array, capacity);
      ByteBuffer view = ByteBuffer.wrap(larger).position(waiting.position());
      array = larger;
      waiting = view;
    }
  }

  /** To go {@link #back} to. */
  int mark() {
    return size;
  }

  /** What was appended since is gone. */
  void back(int mark) {
    size = mark;
  }

  /** What is to be sent, from the position to the limit. */
  ByteBuffer waiting() {
    return waiting.limit(size);
  }

  /** All has been sent: an array that is larger than {@code most} is let go of. */
  void clear(int most) {
    if (array.length > most) {
      byte[] smaller = new byte[FIRST_BYTES];
      ByteBuffer view = ByteBuffer.wrap(smaller);
      array = smaller;
      waiting = view;
    } else {
      waiting.clear();
    }
    size = 0;
  }

  @Override
  public String toString() {
    return size() + " bytes";
  }
}
