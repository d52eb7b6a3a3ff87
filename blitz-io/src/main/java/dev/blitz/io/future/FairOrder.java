package dev.blitz.io.future;

import java.util.SplittableRandom;

/**
 * Makes a select or a race prefer none of its futures: the order in which they are asked is drawn
 * anew for each, so of those that are ready each is as likely as the others. Keep one for the loop;
 * the same seed makes the same choices. Belongs to one task or thread at a time.
 *
 * {@snippet :
 * FairOrder fair = FairOrder.seeded(seed);
 * while (running) {
 *   switch (fair.of(Select.first(left.receive(), right.receive())).await()) {
 *     case First(var l) -> fromLeft(l);
 *     case Second(var r) -> fromRight(r);
 *   }
 * }
 * }
 */
public final class FairOrder {
  private final SplittableRandom random;

  private FairOrder(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Draws by {@code seed}. */
  public static FairOrder seeded(long seed) {
    return new FairOrder(seed);
  }

  /**
   * The same select, in an order of its own.
   *
   * @param choice what {@link Select#first}, {@link SelectBuilder#build}, {@link Futures#race} or
   *     {@link Futures#select} has made, before its first poll
   * @return {@code choice}
   * @throws IllegalArgumentException if it is something else
   */
  @CheckReturnValue
  public <F extends Future<?>> F of(F choice) {
    Future<?> inner =
        switch ((Future<?>) choice) {
          case Unchecked<?> u -> u.inner();
          case IoNarrowed<?> io -> io.inner();
          default -> choice;
        };
    if (!(inner instanceof Choice c)) {
      throw new IllegalArgumentException("only a select or a race has an order; this is " + choice);
    }
    c.drawOrder(this);
    return choice;
  }

  /**
   * All orders are equally likely. To draw only who is first would favour those that come behind
   * one that is never ready.
   */
  int[] order(int futures) {
    int[] order = new int[futures];
    for (int i = 1; i < futures; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  /** A future that asks several others in some order. */
  interface Choice {
    void drawOrder(FairOrder fair);
  }
}
