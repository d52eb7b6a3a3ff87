package dev.blitz.io;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Virtual threads on the JDK's scheduler that yield in a loop, and spawn, use the executor or the
 * blocking pool in between: they keep each other from running, so one that had a place in a queue
 * for a lock would hold up workers and outside threads. Both must go on all the time.
 */
public final class YieldStormSeededStress implements SeededStress {
  private static final int MAX_YIELDERS = 12;
  private static final int MAX_SPAWNERS = 3;
  private static final int SPAWNS = 2_000;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, YieldStormSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    BlitzRuntime rt = RuntimeProbe.builder(random, random.nextInt(1, 4)).build();
    var stop = new AtomicBoolean();
    var spawned = new AtomicLong();
    var ran = new AtomicLong();
    List<Thread> yielders = new ArrayList<>();
    for (int i = random.nextInt(4, MAX_YIELDERS + 1); i > 0; i--) {
      int every = random.nextInt(1, 6);
      yielders.add(Thread.startVirtualThread(() -> yieldAndSpawn(rt, stop, every, spawned, ran)));
    }
    List<Thread> spawners = new ArrayList<>();
    for (int i = random.nextInt(1, MAX_SPAWNERS + 1); i > 0; i--) {
      var own = random.split();
      spawners.add(Thread.ofPlatform().start(() -> spawnFromOutside(rt, own, spawned, ran)));
    }
    try {
      for (Thread spawner : spawners) {
        Patience.until(() -> !spawner.isAlive(), () -> "a thread that spawns from outside");
      }
    } finally {
      stop.set(true);
    }
    for (Thread yielder : yielders) {
      yielder.join();
    }
    Patience.until(() -> ran.get() == spawned.get(), () -> ran + " of " + spawned + " tasks");
    RuntimeProbe.awaitQuiet(rt);
    RuntimeProbe.closeClean(rt);
  }

  @SuppressWarnings("ThreadPriorityCheck") // what it is about
  private static void yieldAndSpawn(
      BlitzRuntime rt, AtomicBoolean stop, int every, AtomicLong spawned, AtomicLong ran) {
    for (int i = 0; !stop.get(); i++) {
      if (i % every == 0 && spawned.get() - ran.get() < SPAWNS) {
        spawned.incrementAndGet();
        start(rt, i, ran);
      }
      Thread.yield();
    }
  }

  /** Each way takes another lock that workers or threads of the pool take too. */
  private static void start(BlitzRuntime rt, int i, AtomicLong ran) {
    switch (i & 3) {
      case 0 -> rt.spawnBlocking(ran::incrementAndGet).detach();
      case 1 -> rt.executor().execute(ran::incrementAndGet);
      case 2 -> rt.spawn(Task.yieldNow().map(done -> ran.incrementAndGet())).detach();
      default -> rt.spawn(Futures.lazy(ran::incrementAndGet)).detach();
    }
  }

  private static void spawnFromOutside(
      BlitzRuntime rt, SplittableRandom random, AtomicLong spawned, AtomicLong ran) {
    for (int i = 0; i < SPAWNS; i++) {
      spawned.incrementAndGet();
      if (random.nextInt(20) == 0) {
        JoinHandle<Long> task = rt.spawn(Futures.lazy(ran::incrementAndGet));
        Patience.until(task::isDone, () -> "a task from outside");
      } else {
        start(rt, i, ran);
      }
    }
  }
}
