package dev.blitz.io;

import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.SpawnHook;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskScope;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Joins whose limit passes about when their children end, followed by another child: a join that
 * returned leaves no alarm that cancels it, and one that timed out has cancelled the scope.
 */
public final class ScopeLimitSeededStress implements SeededStress {
  private static final int SCOPES = 50;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, ScopeLimitSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    long slowNanos = random.nextInt(200_000);
    BlitzRuntime rt =
        RuntimeProbe.builder(random, 4)
            .spawnHook(
                new SpawnHook() {
                  @Override
                  public Object capture() {
                    return this;
                  }

                  @Override
                  public Scope restore(Object captured) {
                    long until = System.nanoTime() + slowNanos;
                    while (System.nanoTime() < until) {
                      Thread.onSpinWait();
                    }
                    return () -> {};
                  }
                })
            .build();
    for (int i = 0; i < SCOPES; i++) {
      scope(rt, random);
    }
    RuntimeProbe.closeClean(rt);
  }

  private static void scope(BlitzRuntime rt, SplittableRandom random) throws Exception {
    try (TaskScope scope = TaskScope.open(rt)) {
      Oneshot<Integer> gate = Oneshot.create();
      scope.spawn(gate.receive());
      var own = random.split();
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                Patience.delay(own);
                gate.send(1);
              });
      boolean timedOut = false;
      try {
        scope.join(Duration.ofNanos(random.nextInt(1_500_000)));
      } catch (TimedOutException e) {
        timedOut = true;
      }
      sender.join();
      try {
        JoinHandle<Integer> later = scope.spawn(Futures.ready(2));
        if (timedOut) {
          throw new AssertionError("a scope whose join has timed out takes tasks");
        }
        if (later.await() != 2) {
          throw new AssertionError("the wrong result");
        }
        scope.join();
      } catch (CancelledException e) {
        if (!timedOut) {
          throw new AssertionError("the alarm of a join that returned has cancelled a child", e);
        }
      }
    }
  }
}
