package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tasks of one worker that want the same thing again and again. */
@Strict
class HandOverTest {
  private static final int TASKS = 4;
  private static final int TIMES = 500;

  /** Takes and gives back, many times in a poll if it can. */
  private static final class Loop implements Future<Done> {
    private final Supplier<UncheckedFuture<? extends AutoCloseable>> take;
    private @Nullable UncheckedFuture<? extends AutoCloseable> wait;
    private int left = TIMES;

    Loop(Supplier<UncheckedFuture<? extends AutoCloseable>> take) {
      this.take = take;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      for (; left > 0; left--) {
        var now = wait == null ? take.get() : wait;
        AutoCloseable guard = now.poll(cx);
        if (guard == null) {
          wait = now;
          return null;
        }
        wait = null;
        guard.close();
      }
      return Done.DONE;
    }
  }

  /** Has all tasks wait in the queue, then lets them go. */
  private static long pollsFor(
      Runnable hold, Runnable free, Supplier<UncheckedFuture<? extends AutoCloseable>> take)
      throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      rt.run(() -> {
        hold.run();
        List<JoinHandle<Done>> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
          tasks.add(Task.spawn(new Loop(take)));
        }
        Task.yieldNow().await(); // each of them asks, and waits
        free.run();
        for (var task : tasks) {
          task.await();
        }
      });
      return rt.stats().polled();
    }
  }

  @Test
  void whoHandsTheLockOver_givesWay_soThatTheQueueEnds() throws Exception {
    var mutex = Mutex.create();
    long polls = pollsFor(mutex::tryLock, mutex::unlock, mutex::lock);
    // A poll may lock 128 times. A queue that never ends would take one for each time.
    assertThat(polls).isLessThan(TASKS * TIMES / 20);
  }

  @Test
  void whoHandsPermitsOver_givesWay_soThatTheQueueEnds() throws Exception {
    var semaphore = Semaphore.create(2);
    long polls =
        pollsFor(() -> semaphore.tryAcquire(2), () -> semaphore.release(2), semaphore::acquire);
    assertThat(polls).isLessThan(TASKS * TIMES / 20);
  }

  @Test
  void writersAndReaders_giveWay_soThatTheQueueEnds() throws Exception {
    var lock = RwLock.create();
    var turn = new int[1];
    long polls =
        pollsFor(
            lock::tryWrite,
            lock::unlockWrite,
            () -> turn[0]++ % 2 == 0 ? lock.read() : lock.write());
    assertThat(polls).isLessThan(TASKS * TIMES / 20);
  }
}
