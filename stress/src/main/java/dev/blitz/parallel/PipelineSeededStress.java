package dev.blitz.parallel;

import dev.blitz.parallel.iter.BaseIter;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Random pipelines, every step in any order and every end, against sequential streams: on the
 * caller, in pools of one to eight workers, given a pool, from virtual threads and within loops,
 * short ones and ones that get code of their own. All runs of one must agree, sums of doubles to
 * the bit. Some fail in the middle: then they must throw just that, and leave nobody at work.
 */
public final class PipelineSeededStress implements SeededStress {
  private static final int MAX_WORKERS = 8;
  private static final int LARGE = 40_000;

  /** Runs of a large one: then as many elements have passed as it takes to be spun. */
  private static final int LARGE_RUNS = 5;

  private static final int PLACES = 5;

  /** For the service loader. */
  public PipelineSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, PipelineSeededStress::round);
  }

  private static int size(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(4);
      case 1, 2, 3 -> random.nextInt(60);
      case 4, 5 -> random.nextInt(1000, 1050);
      case 6 -> random.nextInt(10_000);
      default -> LARGE;
    };
  }

  /** Some in each pool, because pools are dear. */
  private static void round(SplittableRandom random) throws Exception {
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    try (var pool = Pool.builder().workers(workers).seed(random.nextLong()).build()) {
      for (int i = 0; i < 20; i++) {
        pipeline(random, pool);
      }
    }
  }

  private static void pipeline(SplittableRandom random, Pool pool) throws Exception {
    int size = size(random);
    Probe probe = probe(random);
    RandomPipeline pipeline = RandomPipeline.make(random, size, probe);
    PipelineEnd end = PipelineEnd.of(pipeline, random);
    String told = pipeline.told() + "." + end.told() + " on " + pool.workers();
    int runs = size == LARGE ? LARGE_RUNS : random.nextInt(1, 4);
    @Nullable Object before = null;
    for (int run = 0; run < runs; run++) {
      int place = random.nextInt(PLACES);
      Object result;
      try {
        result = runAt(place, pool, pipeline.iter(), end);
      } catch (Throwable t) {
        if (!probe.isFailure(t)) {
          throw new AssertionError(told + " at " + place + " failed: " + t, t);
        }
        checkNobodyIsLeft(probe, told);
        continue;
      }
      checkNobodyIsLeft(probe, told);
      String complaint = end.complaint(result, before);
      if (complaint != null) {
        throw new AssertionError(told + " at " + place + ", run " + run + ", " + complaint);
      }
      before = result;
    }
  }

  private static void checkNobodyIsLeft(Probe probe, String told) {
    try {
      probe.checkNobodyInside();
    } catch (AssertionError e) {
      throw new AssertionError(told + ": " + e.getMessage(), e);
    }
  }

  private static Probe probe(SplittableRandom random) {
    @Nullable Throwable failure =
        switch (random.nextInt(20)) {
          case 0 -> new IllegalStateException("in the middle");
          case 1 -> new AssertionError("in the middle");
          case 2 -> new StackOverflowError("in the middle");
          case 3 -> new CancellationException("in the middle");
          default -> null;
        };
    return new Probe(random.nextInt(-600, 600), failure);
  }

  private static Object runAt(int place, Pool pool, BaseIter<?> iter, PipelineEnd end)
      throws Exception {
    return switch (place) {
      case 0 -> end.run().apply(iter);
      case 1 -> pool.call(() -> end.run().apply(iter));
      case 2 -> end.run().apply(iter.on(pool));
      case 3 -> inALoop(pool, iter, end);
      default -> onAVirtualThread(iter, end);
    };
  }

  private static Object inALoop(Pool pool, BaseIter<?> iter, PipelineEnd end) {
    Object[] results = new Object[3];
    pool.parallelFor(
        0, results.length, LoopOptions.DEFAULT, i -> results[i] = end.run().apply(iter));
    for (Object result : results) {
      String complaint = end.complaint(result, results[0]);
      if (complaint != null) {
        throw new AssertionError("beside others: " + complaint);
      }
    }
    return results[0];
  }

  private static Object onAVirtualThread(BaseIter<?> iter, PipelineEnd end) throws Exception {
    var task = new FutureTask<Outcome>(() -> Outcome.of(iter, end));
    Thread.startVirtualThread(task);
    Outcome outcome = task.get();
    if (outcome.failure != null) {
      throw Probe.<Exception>sneaky(outcome.failure);
    }
    return outcome.result;
  }

  private record Outcome(Object result, @Nullable Throwable failure) {
    static Outcome of(BaseIter<?> iter, PipelineEnd end) {
      try {
        return new Outcome(end.run().apply(iter), null);
      } catch (Throwable t) {
        return new Outcome("none", t);
      }
    }
  }
}
