package dev.blitz.io.overflow;

import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * One operation after the other at the end of the stack, each with frames that end elsewhere and in
 * another kind of JVM. The build does all of them once; here they come round as long as there is
 * time.
 */
public final class StackOverflowSeededStress implements SeededStress {
  private static final int SHIFTS_PER_ROUND = 4;
  private static final int MOST_SHIFT = 40;
  private static final int MOST_WORKERS = 2;

  /** For what takes seconds; less than the runner's own limit. */
  private static final Duration LIMIT = Duration.ofSeconds(50);

  @Override
  public void run(long seed, Duration budget) {
    var order = new SplittableRandom(seed);
    Queue<Operations.Maker> next = new ArrayDeque<>();
    Rounds.run(
        seed,
        budget,
        random -> {
          if (next.isEmpty()) {
            var all = new ArrayList<>(Operations.ALL);
            Collections.shuffle(all, order);
            next.addAll(all);
          }
          boolean own = random.nextBoolean();
          boolean interpreted = random.nextBoolean();
          new OverflowJvm(own, interpreted, random.nextInt(1, MOST_WORKERS + 1))
              .run(SHIFTS_PER_ROUND, random.nextInt(MOST_SHIFT), LIMIT, next.remove().name());
        });
  }
}
