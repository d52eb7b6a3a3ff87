package dev.blitz.io;

import org.jspecify.annotations.Nullable;

/**
 * Leaves hardly any memory, for a program in a JVM with a small heap ({@code -Xmx16m
 * -XX:+UseSerialGC -XX:-UseTLAB -XX:-UseGCOverheadLimit}), and gives it back little by little.
 */
public final class FullHeap {
  private static final int LARGE = 1 << 16;
  private static final int SMALL = 256;

  /** The first element of each is the next. */
  private static Object @Nullable [] ballast;

  private FullHeap() {}

  /** Takes all. */
  public static void fill() {
    take(-1);
    take(LARGE);
    release(4); // becomes small pieces, which are given back first
    take(SMALL);
  }

  /**
   * {@code bytes}: of a piece; less than 0 to have the JVM link this, for which it takes memory.
   */
  private static void take(int bytes) {
    try {
      if (bytes < 0) {
        throw new OutOfMemoryError("made up");
      }
      while (true) {
        var more = new Object[] {ballast, new byte[bytes]};
        ballast = more;
      }
    } catch (OutOfMemoryError e) {
      // that is all
    }
  }

  /**
   * Gives some pieces back.
   *
   * @return false if there are none left
   */
  public static boolean release(int pieces) {
    for (int i = 0; i < pieces; i++) {
      Object[] first = ballast;
      if (first == null) {
        return false;
      }
      ballast = (Object[]) first[0];
    }
    return true;
  }

  /** Gives all back. */
  public static void clear() {
    ballast = null;
    System.gc();
  }
}
