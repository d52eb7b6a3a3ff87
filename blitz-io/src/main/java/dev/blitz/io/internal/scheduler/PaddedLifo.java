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
    private long d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15;
    private int gap;
  }
}
