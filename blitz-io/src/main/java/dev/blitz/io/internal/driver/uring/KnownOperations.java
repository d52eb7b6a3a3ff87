package dev.blitz.io.internal.driver.uring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Which operations the kernel knows: asked once, with a ring of its own. */
final class KnownOperations {
  private static final int LONG_BITS = 6;

  private volatile long @Nullable [] known;

  /** Whether the kernel knows {@code opcode}. Never waits for another thread. */
  boolean contains(int opcode) {
    long[] bits = known;
    if (bits == null) {
      bits = ask(); // two that come at a time both ask, and get the same answer
      known = bits;
    }
    return contains(bits, opcode);
  }

  static boolean contains(long[] known, int opcode) {
    int word = opcode >> LONG_BITS;
    return opcode >= 0 && word < known.length && (known[word] & (1L << opcode)) != 0;
  }

  private static long[] ask() {
    try (var ring = new UringRing(1, 2, 0)) {
      return of(ring);
    } catch (UringException e) {
      return new long[1];
    }
  }

  /** What {@code ring} tells of its kernel. */
  static long[] of(UringRing ring) {
    var bits = new long[(UringAbi.PROBE_OPS + Long.SIZE - 1) >> LONG_BITS];
    try (var scratch = Arena.ofConfined()) {
      MemorySegment probe = scratch.allocate(UringAbi.PROBE);
      int fd = ring.descriptor();
      if (UringCalls.register(fd, UringAbi.REGISTER_PROBE, probe, UringAbi.PROBE_OPS) >= 0) {
        for (int opcode = 0; opcode < UringAbi.PROBE_OPS; opcode++) {
          if (UringAbi.isSupported(probe, opcode)) {
            bits[opcode >> LONG_BITS] |= 1L << opcode;
          }
        }
      }
    }
    return bits;
  }
}
