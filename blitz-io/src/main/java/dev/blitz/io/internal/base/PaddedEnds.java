package dev.blitz.io.internal.base;

/**
 * The two ends of a queue, 128 bytes apart from each other and from anything else: adjacent cache
 * lines are fetched in pairs. The JVM lays out a superclass's fields before those of its
 * subclasses, but puts small ones into a gap that a superclass has left: {@code gap} is there to be
 * first.
 */
@SuppressWarnings("unused") // the padding is there to be there
public final class PaddedEnds {
  private PaddedEnds() {}

  abstract static class Pad0 {
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
  }

  /** Written by those who take. */
  abstract static class Head extends Pad0 {
    protected volatile long head;
  }

  abstract static class Pad1 extends Head {
    private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
  }

  /** Written by those who put. */
  abstract static class Tail extends Pad1 {
    protected volatile long tail;
  }

  /** To be extended. */
  public abstract static class Ends extends Tail {
    private long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;
    private int gap;
  }
}
