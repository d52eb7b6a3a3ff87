package dev.blitz.io.bytes.codec;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.FrameWriter;

/**
 * A format of frames, for both directions.
 *
 * {@snippet :
 * record Points() implements Codec<Point> {
 *   public Decoder<Point> decoder() {
 *     return bytes -> bytes.remaining() < 8 ? null : new Point(bytes.getInt(), bytes.getInt());
 *   }
 *
 *   public Encoder<Point> encoder() {
 *     return (point, out) -> out.putInt(point.x()).putInt(point.y());
 *   }
 * }
 * }
 *
 * @param <F> what a frame stands for
 */
public interface Codec<F> {

  /** A new decoder, for one stream. */
  Decoder<F> decoder();

  /** A new encoder, for one stream. */
  Encoder<F> encoder();

  /** The frames that come from {@code from}. */
  default FrameReader<F> reader(ByteReader from) {
    return FrameReader.of(from, decoder());
  }

  /** Sends frames to {@code to}. */
  default FrameWriter<F> writer(ByteWriter to) {
    return FrameWriter.of(to, encoder());
  }
}
