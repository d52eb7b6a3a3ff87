package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.TooLongException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Frames that end with a delimiter; the last one may do without. One that is too long is told once,
 * when that is known, and skipped without being kept.
 *
 * <p>In each step the position is moved first and the notes are written after it, without a call in
 * between: an Error comes before both or after both.
 */
abstract class DelimiterDecoder<F> implements Decoder<F> {
  private final byte[] delimiter;
  private final int limit;

  /** How many bytes before a delimiter may not count. */
  private final int slack;

  /** From the position on, so many bytes are not the beginning of a delimiter. */
  private int scanned;

  /** In a frame that was too long. */
  private boolean skipping;

  DelimiterDecoder(byte[] delimiter, int limit, int slack) {
    this.delimiter = delimiter;
    this.limit = limit;
    this.slack = slack;
  }

  /** How many of {@code length} bytes count. */
  abstract int lengthOf(ByteBuffer bytes, int from, int length);

  /** The frame; the position is not moved. */
  abstract F frame(ByteBuffer bytes, int from, int length) throws IOException;

  @Override
  public final @Nullable F decode(ByteBuffer bytes) throws IOException {
    int start = bytes.position();
    int at = ByteSearch.indexOf(bytes, start + scanned, delimiter);
    if (at >= 0) {
      return found(bytes, start, at - start, at + delimiter.length);
    }
    int inFrame = Math.max(0, bytes.remaining() - (delimiter.length - 1)); // the rest may be one
    if (skipping) {
      skipTo(bytes, start + inFrame, true);
    } else if (inFrame - slack > limit) {
      TooLongException e = tooLong();
      skipTo(bytes, start + inFrame, true);
      throw e;
    } else {
      scanned = inFrame;
    }
    return null;
  }

  private @Nullable F found(ByteBuffer bytes, int start, int length, int next) throws IOException {
    if (skipping) {
      skipTo(bytes, next, false);
      return null;
    }
    int counted = lengthOf(bytes, start, length);
    if (counted > limit) {
      TooLongException e = tooLong();
      skipTo(bytes, next, false);
      throw e;
    }
    F frame;
    try {
      frame = frame(bytes, start, counted);
    } catch (IOException e) {
      skipTo(bytes, next, false);
      throw e;
    }
    skipTo(bytes, next, false);
    return frame;
  }

  private void skipTo(ByteBuffer bytes, int next, boolean skipsOn) {
    bytes.position(next);
    scanned = 0;
    skipping = skipsOn;
  }

  @Override
  public final @Nullable F decodeLast(ByteBuffer bytes) throws IOException {
    int before = bytes.position();
    F frame = decode(bytes);
    if (frame != null || bytes.position() != before || !bytes.hasRemaining()) {
      return frame;
    }
    return found(bytes, before, bytes.remaining(), bytes.limit());
  }

  private TooLongException tooLong() {
    return new TooLongException(
        (slack > 0 ? "a line" : "a frame") + " of more than " + limit + " bytes", limit);
  }

  @Override
  public final int limit() {
    return (int) Math.min((long) limit + slack + delimiter.length, Integer.MAX_VALUE - 8);
  }

  @Override
  public final void restart() {
    scanned = 0;
    skipping = false;
  }

  @Override
  public String toString() {
    return skipping ? "decoder that skips" : "decoder";
  }
}
