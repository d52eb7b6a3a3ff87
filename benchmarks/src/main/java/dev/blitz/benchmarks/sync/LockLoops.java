package dev.blitz.benchmarks.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.RwLock;
import dev.blitz.io.sync.Semaphore;
import org.jspecify.annotations.Nullable;

/** The state machines of {@link BlitzSync}: what an async block is to the peer in Rust. */
final class LockLoops {
  private LockLoops() {}

  /** Locks, counts and unlocks. */
  static final class Lock implements Future<Done> {
    private final Mutex mutex;
    private final BlitzSync.Counter count;
    private int left;
    private @Nullable UncheckedFuture<Mutex.Guard> wait;

    Lock(Mutex mutex, BlitzSync.Counter count, int times) {
      this.mutex = mutex;
      this.count = count;
      left = times;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; left > 0; left--) {
        var now = wait == null ? mutex.lock() : wait;
        Mutex.Guard guard = now.poll(cx);
        if (guard == null) {
          wait = now;
          return null;
        }
        wait = null;
        count.value++;
        guard.close();
      }
      return Done.DONE;
    }
  }

  /** Reads under the lock. */
  static final class Read implements Future<Done> {
    private final RwLock lock;
    private final BlitzSync.Counter count;
    private int left;
    private long seen;
    private @Nullable UncheckedFuture<RwLock.ReadGuard> wait;

    Read(RwLock lock, BlitzSync.Counter count, int times) {
      this.lock = lock;
      this.count = count;
      left = times;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; left > 0; left--) {
        var now = wait == null ? lock.read() : wait;
        RwLock.ReadGuard guard = now.poll(cx);
        if (guard == null) {
          wait = now;
          return null;
        }
        wait = null;
        seen += count.value;
        guard.close();
      }
      return seen < 0 ? null : Done.DONE;
    }
  }

  /** Counts under the lock. */
  static final class Write implements Future<Done> {
    private final RwLock lock;
    private final BlitzSync.Counter count;
    private int left;
    private @Nullable UncheckedFuture<RwLock.WriteGuard> wait;

    Write(RwLock lock, BlitzSync.Counter count, int times) {
      this.lock = lock;
      this.count = count;
      left = times;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; left > 0; left--) {
        var now = wait == null ? lock.write() : wait;
        RwLock.WriteGuard guard = now.poll(cx);
        if (guard == null) {
          wait = now;
          return null;
        }
        wait = null;
        count.value++;
        guard.close();
      }
      return Done.DONE;
    }
  }

  /** Acquires and gives back. */
  static final class Acquire implements Future<Done> {
    private final Semaphore semaphore;
    private int left;
    private @Nullable UncheckedFuture<Semaphore.Permit> wait;

    Acquire(Semaphore semaphore, int times) {
      this.semaphore = semaphore;
      left = times;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      for (; left > 0; left--) {
        var now = wait == null ? semaphore.acquire() : wait;
        Semaphore.Permit permit = now.poll(cx);
        if (permit == null) {
          wait = now;
          return null;
        }
        wait = null;
        permit.close();
      }
      return Done.DONE;
    }
  }
}
