package dev.blitz.io.bytes;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.OnceIsEnough;

/** What a kind of stream costs that somebody else writes: one short class. */
@OnceIsEnough
class FakeStreamTest extends StreamConformance {
  @Override
  protected ByteStream[] connect(BlitzRuntime runtime) {
    return FakeStream.pair();
  }
}
