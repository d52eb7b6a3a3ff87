package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Blocking calls come and go, are cancelled while queued and while they run, and threads end after
 * next to no idle time: all calls end, never more than the cap run at once, and no call is hit by
 * an interrupt that was meant for another one.
 */
public final class BlockingChurnSeededStress implements SeededStress {
  private static final int CALLS = 300;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, random -> new Round(random).run());
  }

  private static final class Round {
    private final SplittableRandom random;
    private final int cap;

    /** Whether the runtime is closed, with next to no patience, in the midst of it all. */
    private final boolean hurried;

    private final BlitzRuntime rt;
    private final AtomicInteger running = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();

    Round(SplittableRandom random) {
      this.random = random;
      cap = random.nextInt(1, 6);
      hurried = random.nextInt(4) == 0;
      rt =
          RuntimeProbe.builder(random, 2)
              .blockingThreads(cap)
              .blockingKeepAlive(Duration.ofNanos(random.nextInt(300_000)))
              .uncaughtHandler((what, failure) -> problems.add(what + ": " + failure))
              .build();
    }

    void run() throws Exception {
      var crew = new Crew(random);
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        crew.start(this::submitAndCancel);
      }
      if (hurried) {
        Patience.delay(random);
        rt.close(Duration.ofNanos(random.nextInt(200_000)));
        crew.join();
        Patience.until(() -> RuntimeProbe.threads(rt).isEmpty(), () -> "the end of the threads");
        checkProblems();
        return;
      }
      crew.join();
      Patience.until(
          () -> rt.stats().blocking().threads() == 0 || rt.stats().blocking().queued() == 0,
          () -> "an empty queue: " + rt.stats().blocking());
      RuntimeProbe.closeClean(rt);
      checkProblems();
    }

    private void checkProblems() {
      String problem = problems.poll();
      if (problem != null) {
        throw new AssertionError(problem);
      }
    }

    private void submitAndCancel(SplittableRandom own) throws Exception {
      List<JoinHandle<Done>> handles = new ArrayList<>();
      List<JoinHandle<Done>> mustSucceed = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        boolean waits = own.nextInt(4) == 0;
        JoinHandle<Done> h = RuntimeProbe.trySpawn(() -> rt.spawnBlocking(() -> call(waits)));
        if (h == null) {
          break; // closed
        }
        if (waits || own.nextBoolean()) {
          handles.add(h);
        } else {
          mustSucceed.add(h);
        }
        if (own.nextBoolean()) {
          Patience.delay(own);
        }
        if (own.nextInt(3) == 0 && !handles.isEmpty()) {
          cancelTwice(handles.get(own.nextInt(handles.size())), own);
        }
      }
      for (JoinHandle<Done> h : handles) {
        h.cancel();
      }
      RuntimeProbe.awaitAll(rt, handles);
      RuntimeProbe.awaitAll(rt, mustSucceed);
      for (JoinHandle<Done> h : mustSucceed) {
        if (!hurried && !(h.outcome() instanceof Outcome.Success<Done>)) {
          throw new AssertionError("not cancelled, but " + h.outcome());
        }
      }
    }

    /** From two threads at once now and then: one of them was first. */
    private static void cancelTwice(JoinHandle<Done> handle, SplittableRandom own)
        throws Exception {
      var accepted = new AtomicInteger();
      @Nullable Crew second = own.nextInt(8) == 0 ? new Crew(own) : null;
      if (second != null) {
        second.start(its -> accepted.addAndGet(handle.cancel() ? 1 : 0));
      }
      accepted.addAndGet(handle.cancel() ? 1 : 0);
      if (second != null) {
        second.join();
      }
      if (accepted.get() > 1) {
        throw new AssertionError("two were told that they cancelled " + handle);
      }
    }

    private Done call(boolean waits) throws InterruptedException {
      if (running.incrementAndGet() > cap) {
        problems.add("more than " + cap + " calls at a time");
      }
      try {
        if (waits) {
          new CountDownLatch(1).await(); // ends by the interrupt
        }
        return Done.DONE;
      } finally {
        running.decrementAndGet();
      }
    }
  }
}
