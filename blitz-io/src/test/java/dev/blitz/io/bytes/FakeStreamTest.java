package dev.blitz.io.bytes;

import dev.blitz.io.BlitzRuntime;

/** What a kind of stream costs that somebody else writes: one short class. */
class FakeStreamTest extends StreamConformance {
  @Override
  protected ByteStream[] connect(BlitzRuntime runtime) {
    return FakeStream.pair();
  }
}
