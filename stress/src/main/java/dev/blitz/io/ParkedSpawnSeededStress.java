package dev.blitz.io;

import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Tasks from outside against one worker that is about to park: nobody else could run a task whose
 * wake-up is lost.
 */
public final class ParkedSpawnSeededStress implements SeededStress {
  private static final int MAX_SPAWNERS = 3;
  private static final int SPAWNS = 400;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ParkedSpawnSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    BlitzRuntime rt = RuntimeProbe.builder(random, 1).build();
    var crew = new Crew(random);
    for (int i = random.nextInt(1, MAX_SPAWNERS + 1); i > 0; i--) {
      crew.start(own -> spawnAndWait(rt, own));
    }
    crew.join();
    RuntimeProbe.awaitQuiet(rt);
    RuntimeProbe.closeClean(rt);
  }

  private static void spawnAndWait(BlitzRuntime rt, SplittableRandom random) {
    List<JoinHandle<Integer>> handles = new ArrayList<>();
    for (int i = 0; i < SPAWNS; i++) {
      int value = i;
      // One poll, or two with an idle time between them.
      var gate = new Gate();
      boolean wait = random.nextBoolean();
      handles.add(
          wait ? rt.spawn(gate.pass().map(done -> value)) : rt.spawn(Futures.lazy(() -> value)));
      Patience.delay(random);
      gate.open();
      if (random.nextInt(3) == 0) {
        RuntimeProbe.awaitAll(rt, handles);
        handles.clear();
        if (random.nextBoolean()) {
          // Just asleep; another spawner may keep it awake, then a moment has to do.
          for (int look = 0; look < 1_000 && rt.stats().parked() == 0; look++) {
            Thread.onSpinWait();
          }
        }
        Patience.delay(random);
      }
    }
    RuntimeProbe.awaitAll(rt, handles);
  }
}
