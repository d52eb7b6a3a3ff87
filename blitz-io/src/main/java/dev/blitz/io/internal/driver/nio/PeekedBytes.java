package dev.blitz.io.internal.driver.nio;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that were taken from the kernel so that somebody could look at them, and that the next
 * reads get first. At most {@link NioBytes#STAGING_BYTES}, and no more than somebody wanted to see.
 * For the reading side alone, but for {@link #isHeld}.
 */
final class PeekedBytes {
  /** From its position to its limit. */
  private @Nullable ByteBuffer bytes;

  private volatile boolean held;

  boolean isEmpty() {
    return bytes == null;
  }

  /** As not {@link #isEmpty}, for others. */
  boolean isHeld() {
    return held;
  }

  /** Whether {@code target} could show more than there is. */
  boolean isShortOf(ByteBuffer target) {
    return length() < wanted(target);
  }

  private int length() {
    return bytes == null ? 0 : bytes.remaining();
  }

  private static int wanted(ByteBuffer target) {
    return Math.min(target.remaining(), NioBytes.STAGING_BYTES);
  }

  /** A call that adds what there is, up to what {@code target} could show. */
  NioCall<SocketChannel> fillFor(ByteBuffer target) {
    int wanted = wanted(target);
    return (channel, one, many) -> {
      ByteBuffer staging = NioBytes.takeStaging();
      try {
        int before = length();
        var larger = ByteBuffer.allocate(wanted); // before anything is taken
        int n = channel.read(staging.limit(wanted - before));
        if (n > 0) {
          if (bytes != null) {
            larger.put(bytes);
          }
          bytes = larger.put(staging.flip()).flip();
          held = true;
        }
        return NioCall.orInVain(n);
      } finally {
        NioBytes.giveBack(staging);
      }
    };
  }

  /** Copies what fits; it stays. How many. */
  int peek(ByteBuffer target) {
    ByteBuffer here = bytes;
    if (here == null) {
      return 0;
    }
    int n = Math.min(here.remaining(), target.remaining());
    target.put(target.position(), here, here.position(), n);
    return n;
  }

  /** Copies what fits, and lets it go. How many. */
  int read(ByteBuffer target) {
    int n = peek(target);
    took(n);
    return n;
  }

  /** As {@link #read(ByteBuffer)}. */
  long read(MemorySegment[] targets) {
    long all = 0;
    for (MemorySegment target : targets) {
      ByteBuffer here = bytes;
      if (here == null) {
        break;
      }
      int n = (int) Math.min(here.remaining(), target.byteSize());
      MemorySegment.copy(MemorySegment.ofBuffer(here), 0, target, 0, n);
      took(n);
      all += n;
    }
    return all;
  }

  private void took(int n) {
    ByteBuffer here = bytes;
    if (here != null && !here.position(here.position() + n).hasRemaining()) {
      bytes = null;
      held = false;
    }
  }
}
