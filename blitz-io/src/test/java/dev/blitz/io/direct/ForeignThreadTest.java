package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Virtual threads that tasks start by the JDK's own means. */
@Strict
class ForeignThreadTest {

  @Test
  void theyRunSleepLockAndEnd() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(2).build()) {
      int sum =
          runtime.run(() -> {
            var lock = new ReentrantLock();
            var total = new int[1];
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
              int n = i;
              threads.add(
                  Thread.startVirtualThread(() -> {
                    LockSupport.parkNanos(1_000);
                    lock.lock();
                    try {
                      total[0] += n;
                    } finally {
                      lock.unlock();
                    }
                  }));
            }
            for (Thread t : threads) {
              t.join();
            }
            return total[0];
          });
      assertThat(sum).isEqualTo(4950);
    }
  }

  @Test
  void anExecutorOfTheJdk_worksInsideATask() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      String result =
          runtime.run(() -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
              var a = executor.submit(() -> "a");
              var b = executor.submit(() -> "b");
              return a.get() + b.get();
            }
          });
      assertThat(result).isEqualTo("ab");
    }
  }

  @Test
  void theyAreStrangersToTheRuntime_inBothModes() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var failure = new CompletableFuture<Throwable>();
      runtime.run(() ->
          Thread.startVirtualThread(
                  () -> {
                    try {
                      BlitzRuntime.current();
                      failure.complete(new AssertionError("found a runtime"));
                    } catch (IllegalStateException e) {
                      failure.complete(e);
                    }
                  })
              .join());
      assertThat(failure.get()).hasMessageContaining("needs a runtime");
    }
  }

  @Test
  void theyMayAwaitTasks() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var seen = new CompletableFuture<Integer>();
      runtime.run(() -> {
        var task =
            Task.spawn(() -> {
              Task.sleep(Duration.ofMillis(2)).await();
              return 5;
            });
        Thread.startVirtualThread(() -> seen.complete(task.await())).join();
      });
      assertThat(seen.get()).isEqualTo(5);
    }
  }

  @Test
  void theyOutliveTheirRuntime() throws Exception {
    var go = new CountDownLatch(1);
    var end = new CompletableFuture<String>();
    Thread thread;
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      thread =
          runtime.run(() ->
              Thread.startVirtualThread(() -> {
                try {
                  go.await();
                  Thread.sleep(2);
                  Thread child = Thread.startVirtualThread(() -> end.complete("later"));
                  child.join();
                } catch (InterruptedException e) {
                  end.completeExceptionally(e);
                }
              }));
      Await.untilWaiting(thread);
    }
    go.countDown();
    assertThat(end.get()).isEqualTo("later");
    thread.join();
  }

  @Test
  void aSpawnFromThem_afterTheClose_isRefusedAsUsual() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    var go = new CountDownLatch(1);
    var end = new CompletableFuture<Throwable>();
    Thread thread =
        runtime.run(() ->
            Thread.startVirtualThread(() -> {
              try {
                go.await();
                runtime.spawn(() -> 1).detach();
                end.complete(new AssertionError("it was accepted"));
              } catch (Throwable e) {
                end.complete(e);
              }
            }));
    runtime.close();
    go.countDown();
    assertThat(end.get()).isInstanceOf(java.util.concurrent.RejectedExecutionException.class);
    thread.join();
    assertThatThrownBy(() -> runtime.run(() -> 1))
        .isInstanceOf(java.util.concurrent.RejectedExecutionException.class);
  }
}
