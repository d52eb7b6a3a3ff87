package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.PaddedEnds;
import org.jspecify.annotations.Nullable;

/** The LIFO slot of {@link LocalRunQueue} on cache lines of its own, as {@link PaddedEnds} are. */
@SuppressWarnings("unused") // the padding is there to be there
final class PaddedLifo {
  private PaddedLifo() {}

  /**
   * Written by the owner at each hand-over; a thief takes it only from a worker that is stuck.
   * Apart from the tail, at which idle workers look again and again.
   */
  abstract static class Lifo<E> extends PaddedEnds.Ends {
    volatile @Nullable E lifo;
  }

  abstract static class Pad<E> extends Lifo<E> {
    private long d0;
    private long d1;
    private long d2;
    private long d3;
    private long d4;
    private long d5;
    private long d6;
    private long d7;
    private long d8;
    private long d9;
    private long d10;
    private long d11;
    private long d12;
    private long d13;
    private long d14;
    private long d15;
    private int gap;
  }
}
