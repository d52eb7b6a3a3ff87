package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.TooLongException;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Frames that begin with their length.
 *
 * {@snippet :
 * var format = LengthDelimited.ofBytes(4).limit(1 << 16);
 * var in = format.reader(stream);
 * var out = format.writer(stream);
 * out.send(request).await();
 * byte[] answer = in.next().await().orElseThrow();
 * }
 *
 * <pre>
 *   offset   the length   the body: length + adjustment bytes
 *  ┌────────┬────────────┬────────────────────────────────────┐
 *  └────────┴────────────┴────────────────────────────────────┘
 *   the header: left out of the frame, unless kept
 * </pre>
 *
 * <p>As a rule the length is an unsigned big-endian number at the beginning and counts the body
 * alone; a body has at most 1 MB. A body over the limit is a {@link TooLongException}; it is
 * skipped without being kept, and the next read goes on behind it. A length that cannot be is an
 * {@code IOException}, after which nothing more is read. Memory is taken for bytes that have come,
 * not for those that a length speaks of.
 */
public final class LengthDelimited implements Codec<byte[]> {
  private static final int LIMIT = 1 << 20;

  final int size;
  final ByteOrder order;
  final int offset;
  final int adjustment;
  final boolean keepsHeader;
  final int limit;

  private LengthDelimited(
      int size, ByteOrder order, int offset, int adjustment, boolean keepsHeader, int limit) {
    this.size = size;
    this.order = order;
    this.offset = offset;
    this.adjustment = adjustment;
    this.keepsHeader = keepsHeader;
    this.limit = limit;
  }

  /** With a length of {@code size} bytes, from 1 to 8. */
  public static LengthDelimited ofBytes(int size) {
    if (size < 1 || size > Long.BYTES) {
      throw new IllegalArgumentException("a length of " + size + " bytes");
    }
    return new LengthDelimited(size, ByteOrder.BIG_ENDIAN, 0, 0, false, LIMIT);
  }

  /** The same with the length in this order. */
  public LengthDelimited order(ByteOrder other) {
    Objects.requireNonNull(other, "order");
    return new LengthDelimited(size, other, offset, adjustment, keepsHeader, limit);
  }

  /** The same with so many bytes before the length. */
  public LengthDelimited offset(int bytes) {
    if (bytes < 0 || bytes > 1 << 16) {
      throw new IllegalArgumentException("a length behind " + bytes + " bytes");
    }
    return new LengthDelimited(size, order, bytes, adjustment, keepsHeader, limit);
  }

  /**
   * The same with so much added to the length to get that of the body: negative if the length
   * counts the header, or part of it, too.
   */
  public LengthDelimited adjustment(int bytes) {
    return new LengthDelimited(size, order, offset, bytes, keepsHeader, limit);
  }

  /**
   * The same with the header as the beginning of each frame. The writer sets the length in it,
   * whatever is there.
   */
  public LengthDelimited keepHeader() {
    return new LengthDelimited(size, order, offset, adjustment, true, limit);
  }

  /** The same with another limit: how many bytes a body may have. */
  public LengthDelimited limit(int bytes) {
    int most = Integer.MAX_VALUE - (1 << 17);
    if (bytes < 0 || bytes > most) {
      throw new IllegalArgumentException("a limit of " + bytes + " bytes; at most " + most);
    }
    return new LengthDelimited(size, order, offset, adjustment, keepsHeader, bytes);
  }

  int header() {
    return offset + size;
  }

  @Override
  public Decoder<byte[]> decoder() {
    return new LengthDecoder(this);
  }

  /**
   * Refuses frames that are too long.
   *
   * @throws UnsupportedOperationException if there are bytes before the length and frames are
   *     without their header: nobody knows what to write there
   */
  @Override
  public Encoder<byte[]> encoder() {
    if (offset > 0 && !keepsHeader) {
      throw new UnsupportedOperationException(
          "what are the " + offset + " bytes before the length? Use keepHeader()");
    }
    return (frame, out) -> {
      int body = keepsHeader ? frame.length - header() : frame.length;
      if (body < 0) {
        throw new IllegalArgumentException(
            "a frame of " + frame.length + " bytes has no header of " + header());
      }
      long length = (long) body - adjustment;
      if (body > limit || (size < Long.BYTES && length >>> (Byte.SIZE * size) != 0)) {
        throw new TooLongException(
            "a body of " + body + " bytes, the limit is " + limit + ", in a length of " + size,
            limit);
      }
      if (length < 0) {
        throw new IllegalArgumentException("the length would be " + length);
      }
      if (keepsHeader) {
        out.put(frame, 0, offset)
            .putNumber(length, size, order)
            .put(frame, header(), frame.length - header());
      } else {
        out.putNumber(length, size, order).put(frame);
      }
    };
  }

  @Override
  public String toString() {
    return "frames with a length of " + size + " bytes, up to " + limit;
  }
}
