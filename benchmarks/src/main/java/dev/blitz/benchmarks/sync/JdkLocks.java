package dev.blitz.benchmarks.sync;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** java.util.concurrent; under contention on virtual threads. */
@SuppressWarnings("UnnecessaryAsync") // what it costs is the question
final class JdkLocks {
  private final SyncSizes sizes;

  JdkLocks(SyncSizes sizes) {
    this.sizes = sizes;
  }

  // --- Without contention ---

  Fixture mutex() {
    return () -> {
      var lock = new ReentrantLock();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (lock.tryLock()) {
          count++;
          lock.unlock();
        }
      }
      return count;
    };
  }

  Fixture rwLockRead() {
    return () -> {
      var lock = new ReentrantReadWriteLock().readLock();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (lock.tryLock()) {
          count++;
          lock.unlock();
        }
      }
      return count;
    };
  }

  Fixture rwLockWrite() {
    return () -> {
      var lock = new ReentrantReadWriteLock().writeLock();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (lock.tryLock()) {
          count++;
          lock.unlock();
        }
      }
      return count;
    };
  }

  Fixture semaphore() {
    return () -> {
      var semaphore = new Semaphore(SyncSizes.PERMITS);
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (semaphore.tryAcquire()) {
          count++;
          semaphore.release();
        }
      }
      return count;
    };
  }

  /** What a cell is without waiting. */
  Fixture onceGet() {
    return () -> {
      var cell = new AtomicReference<>(1);
      long sum = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        sum += cell.get();
      }
      return sum;
    };
  }

  Fixture onceSet() {
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        var cell = new AtomicReference<@Nullable String>();
        if (cell.compareAndSet(null, "value") && cell.get() != null) {
          count++;
        }
      }
      return count;
    };
  }

  /** A semaphore is the nearest there is. */
  Fixture notifyOne() {
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        var notify = new Semaphore(0);
        notify.release();
        if (notify.tryAcquire()) {
          count++;
        }
      }
      return count;
    };
  }

  Fixture barrier() {
    var barrier = new CyclicBarrier(1);
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (barrier.await() == 0) {
          count++;
        }
      }
      return count;
    };
  }

  // --- With contention ---

  private static void together(int count, IntFunction<Runnable> body) throws InterruptedException {
    var threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      threads[i] = Thread.startVirtualThread(body.apply(i));
    }
    for (var thread : threads) {
      thread.join();
    }
  }

  /** First come, first served, or not. */
  Fixture mutexContended(boolean fair) {
    return () -> {
      var lock = new ReentrantLock(fair);
      var count = new BlitzSync.Counter();
      together(
          sizes.lockers(),
          index ->
              () -> {
                for (int i = 0; i < sizes.locks(); i++) {
                  lock.lock();
                  try {
                    count.value++;
                  } finally {
                    lock.unlock();
                  }
                }
              });
      return count.value;
    };
  }

  /** First come, first served, or not. */
  Fixture rwLockContended(boolean fair) {
    return () -> {
      var lock = new ReentrantReadWriteLock(fair);
      var count = new BlitzSync.Counter();
      together(
          sizes.readers() + sizes.writers(),
          index -> index < sizes.readers() ? () -> read(lock, count) : () -> write(lock, count));
      return count.value;
    };
  }

  private void read(ReentrantReadWriteLock lock, BlitzSync.Counter count) {
    long seen = 0;
    for (int i = 0; i < sizes.accesses(); i++) {
      lock.readLock().lock();
      try {
        seen += count.value;
      } finally {
        lock.readLock().unlock();
      }
    }
    if (seen < 0) {
      throw new IllegalStateException("a count below zero");
    }
  }

  private void write(ReentrantReadWriteLock lock, BlitzSync.Counter count) {
    for (int i = 0; i < sizes.accesses(); i++) {
      lock.writeLock().lock();
      try {
        count.value++;
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  /** First come, first served, or not. */
  Fixture semaphoreContended(boolean fair) {
    return () -> {
      var semaphore = new Semaphore(SyncSizes.FEW_PERMITS, fair);
      together(
          sizes.acquirers(),
          index ->
              () -> {
                for (int i = 0; i < sizes.acquires(); i++) {
                  semaphore.acquireUninterruptibly();
                  semaphore.release();
                }
              });
      return semaphore.availablePermits();
    };
  }
}
