package dev.blitz.examples.guide;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.descriptor.AsyncDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** docs/guide/descriptors.md. */
class Descriptors {
  static long count(AsyncDescriptor input) throws IOException {
    var buffer = ByteBuffer.allocateDirect(8192);
    long total = 0;
    for (int n; (n = input.read(buffer.clear()).await()) != ByteReader.EOF; ) {
      total += n;
    }
    return total;
  }

  void main() throws Exception {
    Blitz.run(() -> {
      try (var input = AsyncDescriptor.reopen(0)) {
        IO.println(count(input) + " bytes");
      }
    });
  }
}
