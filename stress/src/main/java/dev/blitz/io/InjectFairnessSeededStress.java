package dev.blitz.io;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Two tasks that wake each other without end, through the LIFO slot or through the ring, and tasks
 * from outside: these get their turn within a bounded number of polls.
 */
public final class InjectFairnessSeededStress implements SeededStress {
  /** The longest interval between two looks at the inject queue, and as much again for slack. */
  private static final long MAX_POLLS = 2 * 255;

  private static final int INJECTED = 50;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, InjectFairnessSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    BlitzRuntime rt = RuntimeProbe.builder(random, random.nextBoolean() ? 1 : 8).build();
    boolean oneWorker = rt.stats().workers().size() == 1;
    var pair = new Pair(random.nextBoolean());
    List<JoinHandle<Done>> storm = new ArrayList<>();
    storm.add(rt.spawn(pair.side(0)));
    storm.add(rt.spawn(pair.side(1)));
    for (int i = 0; i < INJECTED; i++) {
      JoinHandle<Long> injected = rt.spawn(Futures.lazy(pair.polls::get));
      // After the task was queued: a spawner that is delayed before does not count.
      long from = pair.polls.get();
      RuntimeProbe.awaitAll(rt, List.of(injected));
      long waited = injected.await() - from;
      // With more workers one may fetch the task and lose its CPU while the pair goes on.
      if (oneWorker && waited > MAX_POLLS) {
        throw new AssertionError("an injected task waited for " + waited + " polls of others");
      }
      Patience.delay(random);
    }
    pair.stop = true;
    RuntimeProbe.awaitAll(rt, storm);
    RuntimeProbe.awaitQuiet(rt);
    RuntimeProbe.closeClean(rt);
  }

  private static final class Pair {
    final AtomicLong polls = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Waker> sides = new AtomicReferenceArray<>(2);
    private final boolean alsoSelf;
    volatile boolean stop;

    Pair(boolean alsoSelf) {
      this.alsoSelf = alsoSelf;
    }

    Future<Done> side(int side) {
      return (Context cx) -> {
        polls.incrementAndGet();
        boolean last = stop; // before the wake: the poll that it causes sees the end too
        sides.set(side, cx.waker());
        if (alsoSelf) {
          cx.waker().wake();
        }
        Waker other = sides.get(1 - side);
        (other == null ? cx.waker() : other).wake();
        return last ? Done.DONE : null;
      };
    }
  }
}
