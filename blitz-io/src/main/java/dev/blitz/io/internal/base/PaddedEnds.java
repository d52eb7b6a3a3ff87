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
    private long a0;
    private long a1;
    private long a2;
    private long a3;
    private long a4;
    private long a5;
    private long a6;
    private long a7;
    private long a8;
    private long a9;
    private long a10;
    private long a11;
    private long a12;
    private long a13;
    private long a14;
    private long a15;
  }

  /** Written by those who take. */
  abstract static class Head extends Pad0 {
    protected volatile long head;
  }

  abstract static class Pad1 extends Head {
    private long b0;
    private long b1;
    private long b2;
    private long b3;
    private long b4;
    private long b5;
    private long b6;
    private long b7;
    private long b8;
    private long b9;
    private long b10;
    private long b11;
    private long b12;
    private long b13;
    private long b14;
    private long b15;
  }

  /** Written by those who put. */
  abstract static class Tail extends Pad1 {
    protected volatile long tail;
  }

  /** To be extended. */
  public abstract static class Ends extends Tail {
    private long c0;
    private long c1;
    private long c2;
    private long c3;
    private long c4;
    private long c5;
    private long c6;
    private long c7;
    private long c8;
    private long c9;
    private long c10;
    private long c11;
    private long c12;
    private long c13;
    private long c14;
    private long c15;
    private int gap;
  }
}
