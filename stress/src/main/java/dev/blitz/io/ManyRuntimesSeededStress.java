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
 * Runtimes are made and closed side by side, some closed by two threads at once, some at once, some
 * while their first task is being spawned and their first worker started.
 */
public final class ManyRuntimesSeededStress implements SeededStress {
  private static final int MAKERS = 4;
  private static final int RUNTIMES = 20;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ManyRuntimesSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    var crew = new Crew(random);
    for (int i = 0; i < MAKERS; i++) {
      crew.start(ManyRuntimesSeededStress::makeAndClose);
    }
    crew.join();
  }

  private static void makeAndClose(SplittableRandom random) throws Exception {
    for (int i = 0; i < RUNTIMES; i++) {
      BlitzRuntime rt = RuntimeProbe.builder(random, 4).build();
      List<JoinHandle<Integer>> handles = new ArrayList<>();
      var crew = new Crew(random);
      crew.start(own -> {
        Patience.delay(own);
        for (int n = own.nextInt(1, 10); n > 0; n--) {
          var h = RuntimeProbe.trySpawn(() -> rt.spawn(Futures.ready(1)));
          if (h == null) {
            return;
          }
          handles.add(h);
        }
      });
      if (random.nextBoolean()) {
        crew.start(own -> {
          Patience.delay(own);
          rt.close();
        });
      }
      Patience.delay(random);
      boolean patient = random.nextBoolean();
      if (patient) {
        RuntimeProbe.closeClean(rt);
      } else {
        rt.close(Duration.ZERO);
      }
      crew.join();
      if (patient) {
        RuntimeProbe.checkNoThreads(rt);
      } else {
        Patience.until(() -> RuntimeProbe.threads(rt).isEmpty(), () -> "the end of the threads");
      }
      for (var h : handles) {
        if (!h.isDone()) {
          throw new AssertionError("closed, but there is no " + h);
        }
      }
    }
  }
}
