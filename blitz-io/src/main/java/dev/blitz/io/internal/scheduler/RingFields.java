package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * The fields of {@link LocalRunQueue} on cache lines of their own, 128 bytes apart: adjacent lines
 * are fetched in pairs. The JVM lays out a superclass's fields before those of its subclasses.
 */
@SuppressWarnings({"unused", "MultiVariableDeclaration"}) // the padding is there to be there
final class RingFields {
  private RingFields() {}

  abstract static class Pad0 {
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
  }

  /** Written by the owner and by thieves. */
  abstract static class Head extends Pad0 {
    volatile long head;
  }

  abstract static class Pad1 extends Head {
    private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
  }

  /** Written by the owner; a thief takes the LIFO slot only from a worker that is stuck. */
  abstract static class Tail<E> extends Pad1 {
    volatile int tail;
    volatile @Nullable E lifo;
  }

  abstract static class Pad2<E> extends Tail<E> {
    private long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;
  }
}
