package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@Strict
class SpinLockTest {
  private int count;

  @Test
  void excludes() throws Exception {
    var lock = new SpinLock();
    Race.run(
        4,
        index -> {
          for (int i = 0; i < 10_000; i++) {
            lock.lock();
            count++;
            lock.unlock();
          }
        });
    assertThat(count).isEqualTo(40_000);
    assertThat(lock.isLocked()).isFalse();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock()).isFalse();
  }

  /**
   * A task that gave up the only worker while it waits for one lock, holding another, would let a
   * task run there that waits for that other lock: neither would ever go on.
   */
  @Test
  void aVirtualThreadKeepsItsWorker_whileItWaitsForALockAndHoldsAnother() throws Exception {
    var outer = new SpinLock();
    var inner = new SpinLock();
    var waits = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      inner.lock();
      var nested =
          runtime.spawn(() -> {
            outer.lock();
            waits.countDown();
            inner.lock();
            inner.unlock();
            outer.unlock();
          });
      waits.await();
      var other =
          runtime.spawn(
              Futures.lazy(() -> {
                begun.countDown();
                outer.lock();
                outer.unlock();
                return Done.DONE;
              }));
      // On a carrier of ours it must not begin; elsewhere it may.
      begun.await(100, TimeUnit.MILLISECONDS);
      inner.unlock();
      nested.await();
      other.await();
    }
  }
}
