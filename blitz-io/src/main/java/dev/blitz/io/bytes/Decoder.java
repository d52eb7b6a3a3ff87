package dev.blitz.io.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds frames in bytes. Belongs to one {@link FrameReader}, which calls it with all that has come
 * and was not used, and again when more has.
 *
 * {@snippet :
 * Decoder<Point> points = bytes -> bytes.remaining() < 8 ? null : new Point(bytes.getInt(), bytes.getInt());
 * }
 *
 * @param <F> what a frame is decoded to
 */
@FunctionalInterface
public interface Decoder<F> {

  /**
   * Makes a frame of the first of {@code bytes}, and moves the position behind it. What the
   * position is moved over has been used, also if there is no frame yet. The memory is the
   * reader's: a frame is a copy. The byte order is big-endian with each call.
   *
   * @return the frame; null if more bytes are wanted
   * @throws IOException if this is no frame. If the position was moved over it, the reader can go
   *     on with the next; if not, it refuses from then on. After an unchecked exception the
   *     position is put back.
   */
  @Nullable F decode(ByteBuffer bytes) throws IOException;

  /**
   * As {@link #decode}, when no more bytes will come; called until it answers null. As a rule an
   * incomplete frame is an {@link EOFException}.
   */
  default @Nullable F decodeLast(ByteBuffer bytes) throws IOException {
    int before = bytes.position();
    F frame = decode(bytes);
    if (frame == null && bytes.hasRemaining() && bytes.position() == before) {
      throw new EOFException(
          "the stream ended in the middle of a frame, after " + bytes.remaining() + " bytes of it");
    }
    return frame;
  }

  /**
   * How many bytes of an incomplete frame are kept; if it has more, the reader refuses it with
   * {@link TooLongException}. 1 MB as a rule.
   */
  default int limit() {
    return 1 << 20;
  }

  /**
   * Bytes that were seen in vain have been read by somebody else: what was remembered of them is to
   * be forgotten.
   */
  default void restart() {}
}
