package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.TooLongException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The decoder of {@link LengthDelimited}. The position is moved before the note is written. */
final class LengthDecoder implements Decoder<byte[]> {
  private final LengthDelimited format;

  /** What is left of a frame that was too long. */
  private long toSkip;

  LengthDecoder(LengthDelimited format) {
    this.format = format;
  }

  @Override
  public byte @Nullable [] decode(ByteBuffer bytes) throws IOException {
    if (toSkip > 0) {
      skip(bytes, toSkip);
      return null;
    }
    int header = format.header();
    if (bytes.remaining() < header) {
      return null;
    }
    long body = bodyLength(lengthAt(bytes, bytes.position() + format.offset));
    if (body > format.limit) {
      var e =
          new TooLongException(
              "a body of " + body + " bytes, and the limit is " + format.limit, format.limit);
      skip(bytes, header + body);
      throw e;
    }
    if (bytes.remaining() < header + body) {
      return null;
    }
    int left = format.keepsHeader ? 0 : header;
    byte[] frame = new byte[header + (int) body - left];
    bytes.get(bytes.position() + left, frame);
    bytes.position(bytes.position() + left + frame.length);
    return frame;
  }

  private void skip(ByteBuffer bytes, long count) {
    int n = (int) Math.min(count, bytes.remaining());
    bytes.position(bytes.position() + n);
    toSkip = count - n;
  }

  private long lengthAt(ByteBuffer bytes, int at) {
    long length = 0;
    for (int i = 0; i < format.size; i++) {
      int next = format.order == ByteOrder.BIG_ENDIAN ? i : format.size - 1 - i;
      length = (length << Byte.SIZE) | (bytes.get(at + next) & 0xff);
    }
    return length;
  }

  private long bodyLength(long length) throws IOException {
    long body = length + format.adjustment;
    if (length < 0 || body < 0 || body > Long.MAX_VALUE - format.header()) {
      throw new IOException(
          "malformed frame: a length of "
              + Long.toUnsignedString(length)
              + " and an adjustment of "
              + format.adjustment);
    }
    return body;
  }

  @Override
  public byte @Nullable [] decodeLast(ByteBuffer bytes) throws IOException {
    int before = bytes.position();
    byte[] frame = decode(bytes);
    if (frame == null && bytes.position() == before && (bytes.hasRemaining() || toSkip > 0)) {
      throw new EOFException(
          "the stream ended in the middle of a frame, after " + bytes.remaining() + " bytes of it");
    }
    return frame;
  }

  @Override
  public int limit() {
    return format.header() + format.limit;
  }

  @Override
  public void restart() {
    toSkip = 0;
  }

  @Override
  public String toString() {
    return "decoder of " + format;
  }
}
