package dev.blitz.io;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks of all kinds that own something are spawned, cancelled in every state, and overtaken by the
 * close of their runtime: everything is closed, once.
 */
public final class OwningSeededStress implements SeededStress {
  private static final int MAX_TASKS = 200;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, OwningSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    BlitzRuntime rt = RuntimeProbe.builder(random, 4).build();
    var resources = new ConcurrentLinkedQueue<AtomicInteger>();
    var handles = new ConcurrentLinkedQueue<JoinHandle<?>>();
    var crew = new Crew(random);
    for (int i = 0; i < 2; i++) {
      crew.start(own -> {
        for (int left = own.nextInt(MAX_TASKS); left > 0; left--) {
          try {
            handles.add(spawn(rt, resources, own));
          } catch (RejectedExecutionException closed) {
            // what it was to own counts too
          }
        }
      });
    }
    crew.start(own -> {
      for (int left = own.nextInt(MAX_TASKS); left > 0; left--) {
        JoinHandle<?> some = handles.peek();
        if (some != null) {
          some.cancel();
          handles.remove(some);
        }
        Patience.delay(own);
      }
    });
    if (random.nextBoolean()) {
      crew.start(own -> {
        Patience.delay(own);
        rt.close();
      });
    }
    crew.join();
    RuntimeProbe.closeClean(rt);
    for (AtomicInteger closes : resources) {
      if (closes.get() != 1) {
        throw new AssertionError("closed " + closes + " times, of " + resources.size());
      }
    }
  }

  private static JoinHandle<?> spawn(
      BlitzRuntime rt, ConcurrentLinkedQueue<AtomicInteger> resources, SplittableRandom random) {
    List<AutoCloseable> owned = new ArrayList<>();
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      var closes = new AtomicInteger();
      resources.add(closes);
      owned.add(closes::incrementAndGet);
    }
    SpawnOptions options = owning(owned.toArray(new AutoCloseable[0]));
    int pauses = random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 -> {
        int[] left = {pauses};
        yield rt.spawn(
            options,
            Futures.loop(() ->
                left[0]-- > 0 ? Task.yieldNow().map(done -> Futures.Step.MORE) : Futures.stop()));
      }
      case 1 ->
          rt.spawn(
              options,
              () -> {
                for (int i = 0; i < pauses; i++) {
                  Task.yieldNow().await();
                }
                return Done.DONE;
              });
      default ->
          rt.spawnBlocking(
              options,
              () -> {
                if (Thread.currentThread().isInterrupted()) {
                  throw new CancellationException("interrupted");
                }
                return Done.DONE;
              });
    };
  }
}
