package dev.blitz.parallel;

import dev.blitz.parallel.iter.BaseIter;
import dev.blitz.stress.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Some random pipelines in one pool. */
final class PipelineRound implements Rounds.Round {
  private static final int MAX_WORKERS = 8;
  private static final int LARGE = 40_000;

  /** Runs of a large one: then as many elements have passed as it takes to be spun. */
  private static final int LARGE_RUNS = 5;

  private static final int PLACES = 5;

  /** Sizes that come after a large one of the same shape: the code that was spun for that. */
  private static final int SIZES_AFTER = 6;

  /** What was run, and how many elements its probe had seen by then. */
  private final List<Ended> ended = new ArrayList<>();

  private record Ended(String told, Probe probe, int seen) {}

  PipelineRound() {}

  /** Some in each pool, because pools are dear. */
  @Override
  public void run(SplittableRandom random) throws Exception {
    ended.clear();
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    try (var pool = Pool.builder().workers(workers).seed(random.nextLong()).build()) {
      for (int i = 0; i < 20; i++) {
        long shape = random.nextLong();
        int size = size(random);
        pipeline(shape, size, random, pool);
        for (int after = size == LARGE ? SIZES_AFTER : 0; after > 0; after--) {
          pipeline(shape, random.nextInt(2) == 0 ? random.nextInt(20) : size(random), random, pool);
        }
      }
    }
    for (Ended one : ended) {
      if (one.probe.seen() != one.seen) {
        throw new AssertionError(
            one.told + ": " + (one.probe.seen() - one.seen) + " elements were handled later");
      }
    }
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

  private void pipeline(long shape, int size, SplittableRandom random, Pool pool) throws Exception {
    Probe probe = probe(random);
    RandomPipeline pipeline = RandomPipeline.make(new SplittableRandom(shape), size, probe);
    PipelineEnd end = PipelineEnd.of(pipeline, new SplittableRandom(~shape));
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
    ended.add(new Ended(told, probe, probe.seen()));
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
