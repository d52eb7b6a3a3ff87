package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One task wakes a thousand, or spawns them: far more than its ring holds. */
public final class FanOutSeededStress implements SeededStress {
  private static final int TASKS = 1_000;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, FanOutSeededStress::round);
  }

  private static void round(SplittableRandom random) {
    BlitzRuntime rt = RuntimeProbe.builder(random, 8).build();
    for (int i = 0; i < 4; i++) {
      if (random.nextBoolean()) {
        wakeMany(rt, random);
      } else {
        spawnMany(rt);
      }
      RuntimeProbe.awaitQuiet(rt);
    }
    RuntimeProbe.closeClean(rt);
  }

  private static void wakeMany(BlitzRuntime rt, SplittableRandom random) {
    var gate = new Gate();
    var passed = new AtomicInteger();
    List<JoinHandle<Integer>> handles = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      boolean again = random.nextInt(8) == 0;
      var pass = gate.pass().map(done -> passed.incrementAndGet());
      handles.add(rt.spawn(again ? pass.andThen(n -> Task.yieldNow().map(done -> n)) : pass));
    }
    Patience.delay(random);
    handles.add(
        rt.spawn(
            Futures.lazy(() -> {
              gate.open();
              return 0;
            })));
    RuntimeProbe.awaitAll(rt, handles);
    check(passed.get());
  }

  private static void spawnMany(BlitzRuntime rt) {
    var ran = new AtomicInteger();
    var children = new ConcurrentLinkedQueue<JoinHandle<Integer>>();
    var parent =
        rt.spawn(
            Futures.lazy(() -> {
              for (int i = 0; i < TASKS; i++) {
                children.add(Task.spawn(Futures.lazy(ran::incrementAndGet)));
              }
              return Done.DONE;
            }));
    RuntimeProbe.awaitAll(rt, List.of(parent));
    RuntimeProbe.awaitAll(rt, List.copyOf(children));
    check(ran.get());
  }

  private static void check(int count) {
    if (count != TASKS) {
      throw new AssertionError(count + " of " + TASKS + " ran");
    }
  }
}
