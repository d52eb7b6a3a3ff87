package dev.blitz.io.bytes;

import java.io.IOException;

/**
 * Writes frames as bytes.
 *
 * {@snippet :
 * Encoder<Point> points = (point, out) -> out.putInt(point.x()).putInt(point.y());
 * }
 *
 * @param <F> what is encoded
 */
@FunctionalInterface
public interface Encoder<F> {

  /**
   * Appends {@code frame} to {@code out}. If it throws, nothing of the frame is written.
   *
   * @throws IOException if this cannot be a frame, such as a {@link TooLongException}
   */
  void encode(F frame, GrowingBuffer out) throws IOException;
}
