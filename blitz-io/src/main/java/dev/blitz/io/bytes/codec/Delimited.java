package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.TooLongException;
import java.nio.ByteBuffer;

/**
 * Frames of any bytes, each followed by a delimiter, of one or several bytes, which no frame
 * contains. The last one may do without.
 *
 * {@snippet :
 * for (byte[] record : Delimited.by((byte) 0).limit(4096).reader(stream)) {
 *   handle(record);
 * }
 * }
 *
 * <p>A frame over the limit is a {@link TooLongException}; it is skipped, and the next read goes on
 * behind it.
 */
public final class Delimited implements Codec<byte[]> {
  private static final int LIMIT = 1 << 20;

  private final byte[] delimiter;
  private final int limit;

  private Delimited(byte[] delimiter, int limit) {
    this.delimiter = delimiter;
    this.limit = limit;
  }

  /** With this delimiter and a limit of 1 MB. */
  public static Delimited by(byte... delimiter) {
    if (delimiter.length == 0) {
      throw new IllegalArgumentException("a delimiter of no bytes");
    }
    return new Delimited(delimiter.clone(), LIMIT);
  }

  /** The same with another limit: how many bytes a frame may have. */
  public Delimited limit(int bytes) {
    return new Delimited(delimiter, Lines.checkedLimit(bytes));
  }

  @Override
  public Decoder<byte[]> decoder() {
    return new DelimiterDecoder<>(delimiter, limit, 0) {
      @Override
      int lengthOf(ByteBuffer bytes, int from, int length) {
        return length;
      }

      @Override
      byte[] frame(ByteBuffer bytes, int from, int length) {
        byte[] frame = new byte[length];
        bytes.get(from, frame);
        return frame;
      }
    };
  }

  /** Refuses frames that are too long, or that would be read as several. */
  @Override
  public Encoder<byte[]> encoder() {
    return (frame, out) -> {
      if (frame.length > limit) {
        throw new TooLongException(
            "a frame of " + frame.length + " bytes, and the limit is " + limit, limit);
      }
      byte[] whole = new byte[frame.length + delimiter.length];
      System.arraycopy(frame, 0, whole, 0, frame.length);
      System.arraycopy(delimiter, 0, whole, frame.length, delimiter.length);
      if (ByteSearch.indexOf(ByteBuffer.wrap(whole), 0, delimiter) < frame.length) {
        throw new IllegalArgumentException("the frame contains the delimiter, or its beginning");
      }
      out.put(whole);
    };
  }

  @Override
  public String toString() {
    return "frames with a delimiter of " + delimiter.length + " bytes, up to " + limit;
  }
}
