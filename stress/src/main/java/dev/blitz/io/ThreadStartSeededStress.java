package dev.blitz.io;

import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that cannot be started now and then: a spawn is refused, or its task ends. A task that
 * was accepted never waits for a worker that does not come.
 */
public final class ThreadStartSeededStress implements SeededStress {
  private static final int SPAWNS = 100;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ThreadStartSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    int oneIn = random.nextInt(2, 5);
    int offset = random.nextInt(oneIn);
    var starts = new AtomicInteger(offset);
    BlitzRuntime rt =
        RuntimeProbe.builder(random, 8)
            .uncaughtHandler((what, failure) -> {})
            .threadStarter(thread -> {
              if (starts.incrementAndGet() % oneIn != 0) {
                throw new OutOfMemoryError("on purpose");
              }
              thread.start();
            })
            .build();
    var crew = new Crew(random);
    for (int i = 0; i < 2; i++) {
      crew.start(own -> spawnSome(rt, own));
    }
    crew.join();
    RuntimeProbe.awaitQuiet(rt);
    RuntimeProbe.closeClean(rt);
  }

  private static void spawnSome(BlitzRuntime rt, SplittableRandom random) {
    List<JoinHandle<?>> handles = new ArrayList<>();
    for (int i = 0; i < SPAWNS; i++) {
      var h =
          random.nextInt(4) == 0
              ? RuntimeProbe.trySpawn(() -> rt.spawnBlocking(() -> 1))
              : RuntimeProbe.trySpawn(() -> rt.spawn(Task.yieldNow().map(done -> 1)));
      if (h != null) {
        handles.add(h);
      }
      if (random.nextInt(4) == 0) {
        RuntimeProbe.awaitAll(rt, handles);
      }
      Patience.delay(random);
    }
    RuntimeProbe.awaitAll(rt, handles);
  }
}
