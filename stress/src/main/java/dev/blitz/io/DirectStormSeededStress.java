package dev.blitz.io;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Direct tasks park, yield, lock, await, shield, block in place and start threads of their own,
 * while threads outside unpark, interrupt and cancel them, on 1 to 8 workers. All end, no interrupt
 * lands inside a shield, and the counters come to zero.
 */
public final class DirectStormSeededStress implements SeededStress {
  private static final int MAX_TASKS = 60;
  private static final int MAX_STEPS = 80;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, random -> new Storm(random).round());
  }

  private static final class Storm {
    private final SplittableRandom random;
    private final BlitzRuntime rt;
    private final List<JoinHandle<Integer>> tasks = new ArrayList<>();
    private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final AtomicInteger live = new AtomicInteger();
    private final boolean interrupts;

    Storm(SplittableRandom random) {
      this.random = random;
      rt = RuntimeProbe.builder(random, 8).build();
      interrupts = random.nextBoolean();
    }

    void round() throws Exception {
      int count = random.nextInt(1, MAX_TASKS + 1);
      for (int i = 0; i < count; i++) {
        var own = random.split();
        int steps = own.nextInt(MAX_STEPS);
        tasks.add(rt.spawn(() -> play(own, steps)));
      }
      var crew = new Crew(random);
      crew.start(this::disturb);
      crew.start(this::cancelSome);
      crew.join();
      Patience.until(() -> tasks.stream().allMatch(this::endedOrWoken), () -> "tasks " + rt.dump());
      if (!wrong.isEmpty()) {
        throw new AssertionError(wrong.toString());
      }
      RuntimeProbe.awaitAll(rt, tasks);
      Patience.until(() -> live.get() == 0, () -> live + " threads of tasks");
      RuntimeProbe.awaitQuiet(rt);
      RuntimeProbe.closeClean(rt);
    }

    /** Parks have no other end than an unpark from outside. */
    private boolean endedOrWoken(JoinHandle<?> task) {
      threads.forEach(LockSupport::unpark);
      return task.isDone();
    }

    private int play(SplittableRandom own, int steps) throws Exception {
      live.incrementAndGet();
      threads.add(Thread.currentThread());
      try {
        int done = 0;
        for (; done < steps; done++) {
          step(own);
        }
        return done;
      } catch (CancelledException | InterruptedException e) {
        return -1;
      } finally {
        threads.remove(Thread.currentThread());
        live.decrementAndGet();
      }
    }

    // The yield of a virtual thread means what it says.
    @SuppressWarnings("ThreadPriorityCheck")
    private void step(SplittableRandom own) throws Exception {
      switch (own.nextInt(12)) {
        case 0 -> LockSupport.park(this);
        case 1 -> Thread.yield();
        case 2 -> Task.yieldNow().await();
        case 3 -> Task.sleep(Duration.ofNanos(own.nextInt(2_000_000))).await();
        case 4 -> LockSupport.parkNanos(own.nextInt(200_000));
        case 5 -> underLock(own);
        case 6 -> underMonitor();
        case 7 -> Futures.from(later(own)).await();
        case 8 -> Task.spawn(() -> 1).await();
        case 9 -> shielded(own);
        case 10 -> foreign(own);
        default -> Task.blockInPlace(() -> LockSupport.parkNanos(10_000));
      }
    }

    private void underLock(SplittableRandom own) {
      lock.lock();
      try {
        if (own.nextInt(4) == 0) {
          LockSupport.parkNanos(10_000);
        }
      } finally {
        lock.unlock();
      }
    }

    private void underMonitor() {
      synchronized (monitor) {
        LockSupport.parkNanos(1_000);
      }
    }

    private static CompletableFuture<Integer> later(SplittableRandom own) {
      var stage = new CompletableFuture<Integer>();
      return own.nextBoolean()
          ? stage.completeAsync(() -> 1)
          : CompletableFuture.completedFuture(1);
    }

    /** Only in rounds without strangers' interrupts can a set status be the cancellation's. */
    private void shielded(SplittableRandom own) throws Exception {
      Task.shielded(() -> {
        boolean before = Thread.currentThread().isInterrupted();
        Task.yieldNow().await();
        if (own.nextBoolean()) {
          Task.shielded(() -> Task.sleep(Duration.ofMillis(1)).await());
        }
        if (!interrupts && (before || Thread.currentThread().isInterrupted())) {
          wrong.add("a cancellation's interrupt inside a shield of " + Task.name());
        }
      });
    }

    private void foreign(SplittableRandom own) throws InterruptedException {
      live.incrementAndGet();
      int nanos = own.nextInt(50_000);
      Thread child =
          Thread.startVirtualThread(() -> {
            LockSupport.parkNanos(nanos);
            live.decrementAndGet();
          });
      if (own.nextBoolean()) {
        child.join();
      }
    }

    private void disturb(SplittableRandom own) {
      for (int i = own.nextInt(400); i > 0; i--) {
        for (Thread t : threads) {
          if (own.nextInt(3) == 0) {
            LockSupport.unpark(t);
          }
          if (interrupts && own.nextInt(60) == 0) {
            t.interrupt();
          }
        }
        Patience.delay(own);
      }
    }

    private void cancelSome(SplittableRandom own) {
      Patience.delay(own);
      for (JoinHandle<?> t : tasks) {
        if (own.nextInt(3) == 0) {
          t.cancel();
          Patience.delay(own);
        }
      }
    }
  }
}
