package dev.blitz.io.sync;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@Strict
class MutexTest {
  private static final int ROUNDS = 2_000;

  private static void assertFree(Mutex mutex) {
    assertThat(mutex.isLocked()).isFalse();
    assertThat(mutex.hasWaiters()).isFalse();
    assertThat(mutex.waiting.isEmpty()).isTrue();
  }

  @Test
  void tryLock_excludes_untilUnlock() {
    var mutex = Mutex.create();
    assertThat(mutex.tryLock()).isTrue();
    assertThat(mutex.isLocked()).isTrue();
    assertThat(mutex.tryLock()).isFalse();
    mutex.unlock();
    assertFree(mutex);
  }

  @Test
  void lock_inDirectStyle_readsWithoutCheckedExceptions() {
    var mutex = Mutex.create();
    try (var guard = mutex.lock().await()) {
      assertThat(guard).isNotNull();
      assertThat(mutex.isLocked()).isTrue();
    }
    assertFree(mutex);
  }

  @Test
  void unlock_ofWhatIsNotHeld_isAnError() {
    var mutex = Mutex.create("m");
    assertThatThrownBy(mutex::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unlock() on Mutex[m, free]: nobody has locked it");
    assertFree(mutex);
  }

  @Test
  void guard_closedTwice_givesBackOnce() {
    var mutex = Mutex.create();
    var guard = Polls.now(mutex.lock());
    guard.close();
    assertThat(mutex.tryLock()).isTrue();
    guard.close();
    assertThat(mutex.isLocked()).as("the other's lock").isTrue();
    mutex.unlock();
  }

  @Test
  void guard_closedOnAnotherThread_wakesTheWaiter() throws Exception {
    var mutex = Mutex.create();
    var guard = mutex.lock().await();
    var waker = new Polls();
    var waiting = mutex.lock();
    assertThat(waker.poll(waiting)).isNull();
    Race.run(1, index -> guard.close());
    assertThat(waker.wakes()).isEqualTo(1);
    Polls.now(waiting).close();
    assertFree(mutex);
  }

  @Test
  void drop_atEveryPoint_losesNoLock() {
    DropExplorer.explore(() -> {
      var mutex = Mutex.create();
      mutex.tryLock();
      var after = mutex.lock();
      return DropExplorer.scenario(mutex.lock())
          .step("another waits", () -> assertThat(new Polls().poll(after)).isNull())
          .step("unlock", mutex::unlock)
          .check(end -> {
            // Before its first poll it has no place: the other may have come first.
            end.ifValue(Mutex.Guard::close);
            Polls.now(after).close();
            assertFree(mutex);
          });
    });
  }

  @Test
  void timeout_givesUpThePlace() {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var mutex = Mutex.create();
      mutex.tryLock();
      var attempt = rt.spawn(mutex.lock().timeout(Duration.ofMillis(5)));
      assertThatThrownBy(attempt::await).hasStackTraceContaining("TimedOutException");
      mutex.unlock();
      assertFree(mutex);
    }
  }

  @Test
  void checkedMutex_namesTheHolder_insteadOfWaitingForItself() {
    var mutex = Mutex.checked("ledger");
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      Future<String> twice =
          mutex
              .lock()
              .andThen(guard -> mutex.lock().map(second -> "got it twice").whenDone(guard::close));
      var task = rt.spawn(named("clerk"), twice);
      assertThatThrownBy(task::await)
          .rootCause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("lock() on Mutex[ledger, locked by ")
          .hasMessageContaining("clerk")
          .hasMessageContaining("would wait for itself");
    }
    assertFree(mutex);
  }

  @Test
  void checkedMutex_onAThread_namesIt_andLetsOthersWait() throws Exception {
    var mutex = Mutex.checked("ledger");
    var held = new AtomicReference<Mutex.Guard>();
    held.set(mutex.lock().await());
    assertThat(mutex)
        .hasToString("Mutex[ledger, locked by thread " + Thread.currentThread().getName() + "]");
    assertThatThrownBy(() -> mutex.lock().await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(Thread.currentThread().getName());
    Race.run(
        index -> {
          Await.until(mutex::hasWaiters, "the other to wait");
          held.get().close();
        },
        index -> mutex.lock().await().close());
    assertThat(mutex.tryLock()).isTrue();
    mutex.unlock();
    assertFree(mutex);
  }

  @Test
  void checkedMutex_isNotFreedByAStranger() throws Exception {
    var mutex = Mutex.checked("ledger");
    assertThat(mutex.tryLock()).isTrue();
    String holder = Thread.currentThread().getName();
    Race.run(
        1,
        index ->
            assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unlock() on Mutex[ledger, locked by thread " + holder)
                .hasMessageContaining("does not hold it"));
    assertThat(mutex.isLocked()).isTrue();
    assertThat(mutex).asString().contains("locked by thread " + holder);
    mutex.unlock();
    assertFree(mutex);
  }

  @Test
  void checkedMutex_thatIsBeingHandedOver_isNotFreedByAStranger() {
    var mutex = Mutex.checked("ledger");
    var first = Polls.now(mutex.lock());
    var second = mutex.lock();
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var waiting = rt.spawn(second);
      Await.until(mutex::hasWaiters, "the other to wait");
      first.close();
      var guard = waiting.await();
      assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalStateException.class);
      guard.close(); // a guard may be closed by anyone
    }
    assertThatThrownBy(mutex::unlock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unlock() on Mutex[ledger, free]: nobody has locked it");
    assertFree(mutex);
  }

  @Test
  void tasks_excludeEachOther_acrossSuspensions() {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var mutex = Mutex.create();
      int[] count = {0};
      var tasks = new ArrayList<JoinHandle<?>>();
      for (int i = 0; i < 4; i++) {
        int[] left = {ROUNDS};
        tasks.add(
            rt.spawn(
                Futures.loop(() ->
                    mutex
                        .lock()
                        .andThen(guard -> {
                          int before = count[0];
                          boolean suspend = before % 16 == 0;
                          Future<?> pause = suspend ? Task.yieldNow() : Futures.ready("");
                          return pause.map(paused -> {
                            count[0] = before + 1;
                            guard.close();
                            return --left[0] > 0 ? Futures.Step.MORE : Futures.Step.STOP;
                          });
                        }))));
      }
      for (var task : tasks) {
        Await.until(task::isDone, "the tasks to count");
      }
      assertThat(count[0]).isEqualTo(4 * ROUNDS);
      assertFree(mutex);
    }
  }

  @Test
  void lock_onVirtualThreads_countsToo() throws Exception {
    var mutex = Mutex.create();
    int[] count = {0};
    var threads = new ArrayList<Thread>();
    for (int t = 0; t < 8; t++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 200; i++) {
              try (var guard = mutex.lock().await()) {
                assertThat(guard).isNotNull();
                count[0]++;
              }
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(count[0]).isEqualTo(1_600);
  }

  @Test
  void toString_saysWhatIsWaitedFor() {
    var mutex = Mutex.create("m");
    mutex.tryLock();
    var wait = mutex.lock();
    new Polls().poll(wait);
    assertThat(wait).hasToString("the lock of Mutex[m, locked, others waiting]");
    wait.drop();
    mutex.unlock();
    assertThat(Mutex.create()).hasToString("Mutex[free]");
  }

  @Test
  void tryLockAndUnlock_allocateNothing() {
    var mutex = Mutex.create();
    Runnable pairs =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            mutex.tryLock();
            mutex.unlock();
          }
        };
    pairs.run();
    assertThat(Memory.allocatedByEach(pairs)).isZero();
  }

  @Test
  void aDroppedLock_cannotBePolledAgain() throws Exception {
    Mutex lock = Mutex.create();
    Context nobody = Context.of(() -> {});
    var fresh = lock.lock();
    fresh.drop();
    assertThatThrownBy(() -> fresh.poll(nobody)).isInstanceOf(IllegalStateException.class);
    lock.tryLock();
    var waiting = lock.lock();
    assertThat(waiting.poll(nobody)).isNull();
    waiting.drop();
    lock.unlock();
    assertThatThrownBy(() -> waiting.poll(nobody))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dropped");
  }
}
