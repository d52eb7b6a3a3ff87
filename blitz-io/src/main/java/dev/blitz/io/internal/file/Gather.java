package dev.blitz.io.internal.file;

import java.nio.ByteBuffer;

/** Copies between users' buffers and those of operations. */
public final class Gather {
  private Gather() {}

  /** How much remains in all of them, up to what one operation can move. */
  public static int remaining(ByteBuffer[] buffers) {
    long sum = 0;
    for (ByteBuffer buffer : buffers) {
      sum += buffer.remaining();
    }
    return (int) Math.min(sum, FileTuning.mostBytes());
  }

  /** Where each of them is. */
  static int[] positions(ByteBuffer[] buffers) {
    int[] positions = new int[buffers.length];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = buffers[i].position();
    }
    return positions;
  }

  /** Puts each back. */
  static void rewind(ByteBuffer[] buffers, int[] positions) {
    for (int i = 0; i < positions.length; i++) {
      buffers[i].position(positions[i]);
    }
  }

  /** A buffer with what remains in {@code sources}, as far as it fits; they are moved on. */
  static ByteBuffer from(ByteBuffer[] sources, StagingBuffers staging) {
    ByteBuffer bytes = staging.take(remaining(sources));
    for (ByteBuffer source : sources) {
      move(source, bytes);
    }
    return bytes.flip();
  }

  /** Copies {@code bytes} into {@code targets} as far as there is room; how many. */
  public static int into(ByteBuffer[] targets, ByteBuffer bytes) {
    int before = bytes.remaining();
    for (ByteBuffer target : targets) {
      move(bytes, target);
    }
    return before - bytes.remaining();
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int n = Math.min(from.remaining(), to.remaining());
    if (n > 0) {
      to.put(to.position(), from, from.position(), n);
      to.position(to.position() + n);
      from.position(from.position() + n);
    }
  }
}
