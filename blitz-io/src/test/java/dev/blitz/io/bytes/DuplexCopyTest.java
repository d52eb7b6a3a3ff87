package dev.blitz.io.bytes;

import dev.blitz.io.BlitzRuntime;

/** In memory, with room for few bytes. */
class DuplexCopyTest extends CopyConformance {
  private static final int CAPACITY = 31;

  @Override
  protected ByteStream[] connect(BlitzRuntime runtime) {
    var duplex = Duplex.ofCapacity(CAPACITY);
    return new ByteStream[] {duplex.near(), duplex.far()};
  }
}
