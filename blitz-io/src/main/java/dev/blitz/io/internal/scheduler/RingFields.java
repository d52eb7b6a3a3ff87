package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * The fields of {@link LocalRunQueue} on cache lines of their own, 128 bytes apart: adjacent lines
 * are fetched in pairs. The JVM lays out a superclass's fields before those of its subclasses.
 *
 * <p>The padding is made of ints: longs would leave a gap of four bytes after the object's header
 * or before {@code head}, and the JVM fills such a gap with the next small field of a subclass,
 * {@code tail}. Ints fill it themselves; two are to spare.
 */
@SuppressWarnings({"unused", "MultiVariableDeclaration"}) // the padding is there to be there
final class RingFields {
  private RingFields() {}

  abstract static class Pad0 {
    private int a0,
        a1,
        a2,
        a3,
        a4,
        a5,
        a6,
        a7,
        a8,
        a9,
        a10,
        a11,
        a12,
        a13,
        a14,
        a15,
        a16,
        a17,
        a18,
        a19,
        a20,
        a21,
        a22,
        a23,
        a24,
        a25,
        a26,
        a27,
        a28,
        a29,
        a30,
        a31,
        a32,
        a33;
  }

  /** Written by the owner and by thieves. */
  abstract static class Head extends Pad0 {
    volatile long head;
  }

  abstract static class Pad1 extends Head {
    private int b0,
        b1,
        b2,
        b3,
        b4,
        b5,
        b6,
        b7,
        b8,
        b9,
        b10,
        b11,
        b12,
        b13,
        b14,
        b15,
        b16,
        b17,
        b18,
        b19,
        b20,
        b21,
        b22,
        b23,
        b24,
        b25,
        b26,
        b27,
        b28,
        b29,
        b30,
        b31,
        b32,
        b33;
  }

  /** Written by the owner, read by all who search. */
  abstract static class Tail extends Pad1 {
    volatile int tail;
  }

  abstract static class Pad2 extends Tail {
    private int d0,
        d1,
        d2,
        d3,
        d4,
        d5,
        d6,
        d7,
        d8,
        d9,
        d10,
        d11,
        d12,
        d13,
        d14,
        d15,
        d16,
        d17,
        d18,
        d19,
        d20,
        d21,
        d22,
        d23,
        d24,
        d25,
        d26,
        d27,
        d28,
        d29,
        d30,
        d31,
        d32,
        d33;
  }

  /**
   * Written by the owner at each hand-over; a thief takes it only from a worker that is stuck.
   * Apart from the tail, at which idle workers look again and again.
   */
  abstract static class Lifo<E> extends Pad2 {
    volatile @Nullable E lifo;
  }

  abstract static class Pad3<E> extends Lifo<E> {
    private int c0,
        c1,
        c2,
        c3,
        c4,
        c5,
        c6,
        c7,
        c8,
        c9,
        c10,
        c11,
        c12,
        c13,
        c14,
        c15,
        c16,
        c17,
        c18,
        c19,
        c20,
        c21,
        c22,
        c23,
        c24,
        c25,
        c26,
        c27,
        c28,
        c29,
        c30,
        c31,
        c32,
        c33;
  }
}
