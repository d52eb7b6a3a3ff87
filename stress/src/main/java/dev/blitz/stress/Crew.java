package dev.blitz.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future.State;
import java.util.concurrent.FutureTask;

/** The outside threads of a round: started together, joined and checked. */
public final class Crew {
  private final List<FutureTask<?>> work = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final SplittableRandom random;

  /** Each member's generator is split from this one. */
  public Crew(SplittableRandom random) {
    this.random = random;
  }

  /** Starts a member. */
  public void start(Rounds.Round body) {
    var own = random.split();
    var task =
        new FutureTask<>(() -> {
          body.run(own);
          return body;
        });
    work.add(task);
    threads.add(Thread.ofPlatform().daemon().name("crew-" + threads.size()).start(task));
  }

  /** Waits for all; throws what one of them threw, at once: the others may wait for it in vain. */
  public void join() throws Exception {
    for (Thread thread : threads) {
      Patience.until(() -> failed() || !thread.isAlive(), thread::getName);
    }
    for (FutureTask<?> task : work) {
      if (task.isDone()) {
        task.get();
      }
    }
  }

  private boolean failed() {
    return work.stream().anyMatch(task -> task.state() == State.FAILED);
  }
}
