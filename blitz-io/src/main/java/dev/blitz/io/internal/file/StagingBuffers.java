package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.SpinLock;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for operations in flight, outside the heap. What is given back is kept for others, up to a
 * bound; what is not given back is the garbage collector's. Thread safe.
 */
final class StagingBuffers {
  private final int[] sizes;
  private final @Nullable ByteBuffer[][] kept;
  private final int[] counts;
  private final SpinLock lock = new SpinLock();

  StagingBuffers() {
    this(FileTuning.STAGING_BYTES, FileTuning.KEPT_BUFFERS);
  }

  StagingBuffers(int[] sizes, int keep) {
    this.sizes = sizes.clone();
    kept = new ByteBuffer[sizes.length][keep];
    counts = new int[sizes.length];
  }

  /** A buffer with room for {@code bytes}, or of the largest size; its limit says how much. */
  ByteBuffer take(int bytes) {
    int kind = 0;
    while (kind < sizes.length - 1 && sizes[kind] < bytes) {
      kind++;
    }
    ByteBuffer buffer = takeKept(kind);
    if (buffer == null) {
      buffer = allocate(sizes[kind]);
    }
    return buffer.clear().limit(Math.min(bytes, sizes[kind]));
  }

  /** Aligned, as {@link DirectAccess} needs it. */
  private static ByteBuffer allocate(int bytes) {
    int blocks = (bytes + DirectAccess.BLOCK - 1) / DirectAccess.BLOCK; // a slice has whole ones
    return ByteBuffer.allocateDirect((blocks + 1) * DirectAccess.BLOCK)
        .alignedSlice(DirectAccess.BLOCK)
        .slice(0, bytes);
  }

  private @Nullable ByteBuffer takeKept(int kind) {
    lock.lock();
    try {
      int count = counts[kind];
      if (count == 0) {
        return null;
      }
      ByteBuffer buffer = kept[kind][count - 1];
      kept[kind][count - 1] = null;
      counts[kind] = count - 1;
      return buffer;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a buffer back that {@link #take} gave; its user must have let go of it. */
  void giveBack(ByteBuffer buffer) {
    int kind = 0;
    while (kind < sizes.length && sizes[kind] != buffer.capacity()) {
      kind++;
    }
    if (kind == sizes.length) {
      throw new IllegalArgumentException("not one of these buffers: " + buffer);
    }
    lock.lock();
    try {
      if (counts[kind] < kept[kind].length) {
        kept[kind][counts[kind]++] = buffer;
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many are kept; for tests. */
  int keptNow() {
    lock.lock();
    try {
      int sum = 0;
      for (int count : counts) {
        sum += count;
      }
      return sum;
    } finally {
      lock.unlock();
    }
  }
}
