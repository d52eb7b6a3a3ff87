package dev.blitz.io;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Recursions without end that use the runtime at every level near the end of the stack, on threads
 * and in polls, several at once and beside tasks that use the same things: no lock stays held, no
 * cell is claimed and left empty, no permit is lost, and what was taken runs.
 */
public final class StackEndSeededStress implements SeededStress {
  private static final int STACK_BYTES = 192 << 10;
  private static final int DESCENTS = 6;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, StackEndSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    BlitzRuntime rt =
        RuntimeProbe.builder(random, 3).uncaughtHandler((task, failure) -> {}).build();
    var uses = new Uses(rt, random.nextInt(1, 5));
    var crew = new Crew(random);
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      crew.start(own -> {
        for (int n = 0; n < DESCENTS; n++) {
          onAThread(uses, own);
        }
      });
    }
    if (random.nextBoolean()) {
      crew.start(own -> inAPoll(rt, uses, own));
    }
    crew.join();
    uses.checkAll();
    RuntimeProbe.closeClean(rt);
  }

  private static void onAThread(Uses uses, SplittableRandom random) throws InterruptedException {
    var descent = new Descent(uses, random);
    var failure = new AtomicReference<@Nullable Throwable>();
    var thread =
        new Thread(
            null,
            () -> {
              try {
                descent.begin(Context.of(() -> {}));
              } catch (Throwable t) {
                failure.set(t);
              }
            },
            "descent",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    Patience.until(() -> !thread.isAlive(), () -> "a thread that recurses: " + descent.use);
    if (failure.get() != null) {
      throw new AssertionError("a recursion ended with", failure.get());
    }
  }

  private static void inAPoll(BlitzRuntime rt, Uses uses, SplittableRandom random) {
    var descent = new Descent(uses, random);
    Future<Done> body =
        cx -> {
          descent.begin(cx);
          return Done.DONE;
        };
    JoinHandle<Done> task = rt.spawn(body);
    Patience.until(task::isDone, () -> "a poll that recurses: " + descent.use);
  }

  /** One recursion, whose frames begin somewhere else each time. */
  private static final class Descent {
    /** Levels above have room enough. */
    private static final int LAST_LEVELS = 400;

    final int use;
    private final Uses uses;
    private final int shift;
    private int depth;
    private int first;

    Descent(Uses uses, SplittableRandom random) {
      this.uses = uses;
      use = random.nextInt(Uses.COUNT);
      shift = random.nextInt(40);
    }

    void begin(Context cx) {
      first = Integer.MAX_VALUE;
      descend(cx, shift, 0); // how deep it goes
      first = depth - LAST_LEVELS;
      descend(cx, shift, 0);
    }

    private void descend(Context cx, int shift, long padding) {
      depth = 0;
      try {
        if (shift > 0) {
          shifted(cx, shift, padding, padding, padding);
        } else {
          level(cx);
        }
      } catch (StackOverflowError end) {
        // What it is about.
      }
    }

    /** Some frames of another size, so that the rest is not always a multiple of one. */
    private void shifted(Context cx, int left, long a, long b, long c) {
      if (left > 0) {
        shifted(cx, left - 1, a + 1, b + a, c + b);
      } else {
        level(cx);
      }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void level(Context cx) {
      if (++depth > first) {
        uses.one(use, cx);
      }
      level(cx);
    }
  }

  /** What is done at a level, and how it is seen to work still. */
  private static final class Uses {
    static final int COUNT = 5;

    private final BlitzRuntime rt;
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger spawned = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final Mutex mutex = Mutex.create();
    private final Semaphore semaphore;
    private final int permits;
    private final Channel<Integer> channel = Channel.bounded(8);
    private final JoinHandle<Done> receiver;

    Uses(BlitzRuntime rt, int permits) {
      this.rt = rt;
      this.permits = permits;
      semaphore = Semaphore.create(permits);
      receiver =
          rt.spawn(
              Futures.loop(() ->
                  channel
                      .receive()
                      .andThen(n -> {
                        received.incrementAndGet();
                        return n < 0 ? Futures.stop() : Futures.more();
                      })));
    }

    void one(int use, Context cx) {
      switch (use) {
        case 0 -> {
          rt.spawn(Futures.lazy(ran::incrementAndGet));
          spawned.incrementAndGet();
        }
        case 1 -> {
          if (channel.trySend(1) == SendResult.SENT) {
            sent.incrementAndGet();
          }
        }
        case 2 -> {
          if (mutex.tryLock()) {
            mutex.unlock();
          }
        }
        case 3 -> {
          if (semaphore.tryAcquire()) {
            semaphore.release();
          }
        }
        default -> {
          var locking = mutex.lock();
          var guard = locking.poll(cx);
          if (guard == null) {
            locking.drop();
          } else {
            guard.close();
          }
        }
      }
    }

    void checkAll() {
      Patience.until(() -> ran.get() >= spawned.get(), () -> ran + " of " + spawned + " tasks");
      awaited(mutex.lock(), "the mutex").close();
      awaited(semaphore.acquire(permits), "all permits").close();
      JoinHandle<Done> last = rt.spawn(channel.send(-1));
      Patience.until(last::isDone, () -> "the last message to be sent");
      Patience.until(receiver::isDone, () -> "the last message");
      if (received.get() < sent.get() + 1) {
        throw new AssertionError(received + " messages of " + sent + " and one");
      }
    }

    private <T> T awaited(Future<T> future, String what) {
      JoinHandle<T> task = rt.spawn(future);
      Patience.until(task::isDone, () -> what);
      return task.await(); // it has ended
    }
  }
}
