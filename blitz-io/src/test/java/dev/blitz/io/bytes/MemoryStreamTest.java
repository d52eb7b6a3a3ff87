package dev.blitz.io.bytes;

import dev.blitz.io.BlitzRuntime;

/** The smallest kind of stream there is, with room for few bytes so that all must wait. */
class MemoryStreamTest extends StreamConformance {
  private static final int CAPACITY = 5;

  @Override
  protected ByteStream[] connect(BlitzRuntime runtime) {
    return MemoryStream.pair(CAPACITY);
  }
}
