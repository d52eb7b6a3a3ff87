package dev.blitz.benchmarks.direct;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that take turns, with nothing but the JDK: the code is the same for both contenders.
 */
final class Turns {
  private Turns() {}

  /** Turns under a lock with a condition. */
  static final class Locked {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int turn;

    /** Waits for its turn, {@code times} times. */
    int play(int side, int times) throws InterruptedException {
      for (int i = 0; i < times; i++) {
        lock.lock();
        try {
          while (turn != side) {
            changed.await();
          }
          turn = 1 - side;
          changed.signal();
        } finally {
          lock.unlock();
        }
      }
      return times;
    }
  }

  /** Turns by park and unpark. */
  static final class Parked {
    private final @Nullable Thread[] players = new @Nullable Thread[2];
    private volatile int turn = -1;

    /** Both sides must have called this before {@link #begin}. */
    void join(int side) {
      synchronized (players) {
        players[side] = Thread.currentThread();
        players.notifyAll();
      }
    }

    void begin() throws InterruptedException {
      synchronized (players) {
        while (players[0] == null || players[1] == null) {
          players.wait();
        }
      }
      turn = 0;
      LockSupport.unpark(players[0]);
    }

    int play(int side, int times) {
      for (int i = 0; i < times; i++) {
        while (turn != side) {
          LockSupport.park(this);
        }
        turn = 1 - side;
        LockSupport.unpark(players[1 - side]);
      }
      return times;
    }
  }
}
