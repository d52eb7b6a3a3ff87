package dev.blitz.io;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * As {@link LittleMemory}, of what a runtime does by itself: it starts its threads, closes because
 * of an error, and stops calls that block.
 */
final class LittleMemoryOfRuntimes {
  private static final Duration LONG = Duration.ofSeconds(8);

  /** More small pieces than any of it takes, which is a thread at most. */
  private static final int MOST_PIECES = 40;

  /** The JVM settles the form of a method handle after so many calls, for which it takes memory. */
  private static final int CALLS_OF_A_HANDLE = 300;

  /** What is done. */
  enum Part {
    /** The first worker is started for a task. */
    START,
    /** The second one is started by a poll of the first. */
    START_SECOND,
    /** The platform thread is looked for on which the caller runs. */
    CARRIER,
    /** A task throws an error because of which its runtime closes. */
    CLOSE_BY_ERROR,
    /** A call is cancelled that has an action for it. */
    STOP,
    /** A runtime is closed that has a task, and a call that waits for its interrupt. */
    CLOSE
  }

  /** How often there was not enough. */
  private static int refused;

  private LittleMemoryOfRuntimes() {}

  public static void main(String[] args) throws Exception {
    Part part = Part.valueOf(args[0]);
    String wrong = "";
    int first = part == Part.CARRIER ? 0 : -2; // with memory: classes and call sites
    for (int round = first; round <= MOST_PIECES && wrong.isEmpty(); round++) {
      if (!once(part, round)) {
        wrong = part + " with " + round;
      }
    }
    System.out.println("refused: " + (refused > 0) + ", " + refused);
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  private static boolean once(Part part, int pieces) throws Exception {
    return switch (part) {
      case START -> start(pieces);
      case START_SECOND -> startSecond(pieces);
      case CARRIER -> carrier(pieces);
      case CLOSE_BY_ERROR -> closeByError(pieces);
      case STOP -> stop(pieces);
      case CLOSE -> close(pieces);
    };
  }

  private static BlitzRuntime runtime(int workers) {
    return builder(workers).build();
  }

  private static RuntimeBuilder builder(int workers) {
    return BlitzRuntime.builder()
        .workers(workers)
        .closeTimeout(LONG)
        .uncaughtHandler((what, failure) -> {})
        .onFatalError(FatalErrorPolicy.CLOSE_RUNTIME);
  }

  private static boolean comes(BooleanSupplier what) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!what.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /** No task counts as living that is nowhere: the close would wait for it. */
  private static boolean isLeft(BlitzRuntime runtime) {
    return comes(() -> runtime.stats().live() == 0) && runtime.close(LONG).clean();
  }

  private static boolean start(int pieces) {
    if (pieces < 0) {
      try (var runtime = builder(1).threadStarter(LittleMemoryOfRuntimes::refuse).build()) {
        attempt(() -> runtime.spawn(Futures.lazy(() -> 0)).detach()); // what is done then is there
      }
    }
    try (var runtime = runtime(1)) {
      Future<Integer> first = Futures.lazy(() -> 1);
      LittleMemory.with(pieces, () -> attempt(() -> runtime.spawn(first).detach()));
      var second = runtime.spawn(Futures.lazy(() -> 2));
      return comes(second::isDone) && isLeft(runtime);
    }
  }

  private static void refuse(Thread thread) {
    throw new OutOfMemoryError("made up for " + thread.getName());
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      refused++;
    }
  }

  private static boolean startSecond(int pieces) throws Exception {
    try (var runtime = runtime(2)) {
      var ran = new AtomicInteger();
      Future<Integer> first = Futures.lazy(ran::incrementAndGet);
      Future<Integer> second = Futures.lazy(ran::incrementAndGet);
      Runnable spawn = () -> spawn(first, second);
      boolean came =
          runtime.run(
              Futures.lazy(() -> {
                LittleMemory.with(pieces, () -> attempt(spawn));
                int before = ran.get();
                spawn(Futures.lazy(ran::incrementAndGet), Futures.lazy(ran::incrementAndGet));
                return comes(() -> ran.get() > before); // not on this worker
              }));
      return came && isLeft(runtime);
    }
  }

  private static void spawn(Future<Integer> first, Future<Integer> second) {
    Task.spawn(first).detach();
    Task.spawn(second).detach();
  }

  private static boolean carrier(int pieces) {
    Thread me = Thread.currentThread();
    boolean right = CarrierAccess.currentCarrier() == me;
    boolean[] failed = new boolean[1];
    LittleMemory.with(
        pieces,
        () -> {
          try {
            for (int i = 0; i < CALLS_OF_A_HANDLE; i++) {
              CarrierAccess.currentCarrier();
            }
          } catch (OutOfMemoryError e) {
            failed[0] = true;
          }
        });
    refused++; // none may be
    return right && !failed[0];
  }

  /** Pending once. */
  private static final class Failing implements Future<Done> {
    private final OutOfMemoryError made = new OutOfMemoryError("made up");
    volatile @Nullable Waker waker;

    @Override
    public @Nullable Done poll(Context cx) {
      if (waker != null) {
        throw made;
      }
      waker = cx.waker();
      return null;
    }
  }

  private static boolean closeByError(int pieces) {
    try (var runtime = runtime(1)) {
      List<JoinHandle<Integer>> pending = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        pending.add(runtime.spawn(Futures.<Integer>pending()));
      }
      var failing = new Failing();
      var failed = runtime.spawn(failing);
      failed.detach();
      if (!comes(() -> failing.waker != null)) {
        return false;
      }
      Waker waker = failing.waker;
      BooleanSupplier over = () -> areDone(pending);
      boolean[] came = new boolean[1];
      LittleMemory.with(
          pieces,
          () -> {
            waker.wake();
            came[0] = comes(over);
          });
      refused++; // it takes none
      return came[0] && runtime.close(LONG).clean();
    }
  }

  /** Takes no memory. */
  private static boolean areDone(List<JoinHandle<Integer>> tasks) {
    for (int i = 0; i < tasks.size(); i++) {
      if (!tasks.get(i).isDone()) {
        return false;
      }
    }
    return true;
  }

  private static boolean stop(int pieces) {
    try (var runtime = runtime(1)) {
      var begun = new CountDownLatch(1);
      var stopped = new CountDownLatch(1);
      var call =
          runtime.spawnBlocking(
              SpawnOptions.onCancel(stopped::countDown),
              () -> {
                begun.countDown();
                stopped.await();
                return Done.DONE;
              });
      if (!comes(() -> begun.getCount() == 0)) {
        return false;
      }
      LittleMemory.with(pieces, call::cancel);
      refused += stopped.getCount() > 0 ? 1 : 0; // it may just be late, but not always
      call.cancel();
      return comes(call::isDone) && isLeft(runtime);
    }
  }

  /** One that has failed is not made again, but has done all it could: no thread is left. */
  private static boolean close(int pieces) throws Exception {
    var runtime = runtime(1);
    int begun = Thread.activeCount();
    var task = runtime.spawn(Futures.<Integer>pending());
    var running = new CountDownLatch(1);
    var call =
        runtime.spawnBlocking(() -> {
          running.countDown();
          new CountDownLatch(1).await();
          return Done.DONE;
        });
    running.await();
    LittleMemory.with(pieces, () -> attempt(() -> refused += runtime.close(LONG).clean() ? 0 : 1));
    runtime.close(LONG);
    return comes(() -> task.isDone() && call.isDone() && Thread.activeCount() <= begun);
  }
}
