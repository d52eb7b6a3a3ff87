package dev.blitz.benchmarks.sync;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.sync.Barrier;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.OnceCell;
import dev.blitz.io.sync.RwLock;
import dev.blitz.io.sync.Semaphore;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The subject. */
final class BlitzSync {
  private final SyncSizes sizes;

  BlitzSync(SyncSizes sizes) {
    this.sizes = sizes;
  }

  // --- Without contention ---

  Fixture mutex() {
    return () -> {
      var mutex = Mutex.create();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (mutex.tryLock()) {
          count++;
          mutex.unlock();
        }
      }
      return count;
    };
  }

  Fixture rwLockRead() {
    return () -> {
      var lock = RwLock.create();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (lock.tryRead()) {
          count++;
          lock.unlockRead();
        }
      }
      return count;
    };
  }

  Fixture rwLockWrite() {
    return () -> {
      var lock = RwLock.create();
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        if (lock.tryWrite()) {
          count++;
          lock.unlockWrite();
        }
      }
      return count;
    };
  }

  Fixture semaphore() {
    return () -> {
      var semaphore = Semaphore.create(SyncSizes.PERMITS);
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

  Fixture onceGet() {
    return () -> {
      var cell = OnceCell.of(1);
      long sum = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        Integer value = cell.get();
        sum += value == null ? 0 : value;
      }
      return sum;
    };
  }

  Fixture onceSet() {
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        var cell = OnceCell.<String>create();
        if (cell.set("value") && cell.get() != null) {
          count++;
        }
      }
      return count;
    };
  }

  Fixture notifyOne() {
    Context cx = Context.of(() -> {});
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        var notify = Notify.create();
        notify.notifyOne();
        if (notify.notified().poll(cx) != null) {
          count++;
        }
      }
      return count;
    };
  }

  Fixture barrier() {
    Context cx = Context.of(() -> {});
    var barrier = Barrier.create(1); // a local one of the run would have its lock compiled away
    return () -> {
      long count = 0;
      for (int i = 0; i < sizes.pairs(); i++) {
        var arrival = barrier.arrive().poll(cx);
        if (arrival != null && arrival.isLeader()) {
          count++;
        }
      }
      return count;
    };
  }

  // --- With contention ---

  /** A fixture with a runtime that it closes. */
  private abstract static class OnRuntime implements Fixture {
    final BlitzRuntime runtime =
        BlitzRuntime.builder().workers(SyncSizes.WORKERS).name("bench").build();

    @Override
    public void tearDown() {
      runtime.close();
    }
  }

  Fixture mutexContended() {
    return mutexContended(Mutex::create);
  }

  Fixture mutexBarging() {
    return mutexContended(Mutex::barging);
  }

  private Fixture mutexContended(Supplier<Mutex> free) {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        var mutex = free.get();
        var count = new Counter();
        runtime.run(
            new Together(sizes.lockers(), i -> new LockLoops.Lock(mutex, count, sizes.locks())));
        return count.value;
      }
    };
  }

  Fixture rwLockContended() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        var lock = RwLock.create();
        var count = new Counter();
        runtime.run(new Together(sizes.readers() + sizes.writers(), i -> loop(lock, count, i)));
        return count.value;
      }

      private Future<Done> loop(RwLock lock, Counter count, int index) {
        return index < sizes.readers()
            ? new LockLoops.Read(lock, count, sizes.accesses())
            : new LockLoops.Write(lock, count, sizes.accesses());
      }
    };
  }

  Fixture semaphoreContended() {
    return semaphoreContended(Semaphore::create);
  }

  Fixture semaphoreBarging() {
    return semaphoreContended(Semaphore::barging);
  }

  private Fixture semaphoreContended(IntFunction<Semaphore> of) {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        var semaphore = of.apply(SyncSizes.FEW_PERMITS);
        runtime.run(
            new Together(
                sizes.acquirers(), i -> new LockLoops.Acquire(semaphore, sizes.acquires())));
        return semaphore.availablePermits();
      }
    };
  }

  /** What a lock guards. */
  static final class Counter {
    long value;
  }
}
