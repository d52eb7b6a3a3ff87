package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Watched;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lock that many readers or one writer hold, across suspensions.
 *
 * {@snippet :
 * RwLock lock = RwLock.create("routes");
 * try (var guard = lock.read().await()) {
 *   look();
 * }
 * try (var writing = lock.write().await()) {
 *   change();
 *   try (var reading = writing.downgrade()) { // no other writer comes between
 *     look();
 *   }
 * }
 * }
 *
 * <p>First come, first served: a reader that comes after a waiting writer waits behind it, so
 * writers are not starved. Hence a task that holds a read lock must not wait for another one on the
 * same lock. There is no upgrade: two readers who both want it would wait for each other.
 *
 * <p>Not re-entrant; belongs to no thread; guards may be closed by another task or thread.
 */
/* Implementation notes
 *
 * A permit per possible reader; the writer takes all of them. Gathering them one by one is what makes a
 * waiting writer hold new readers back. All permits out therefore means: a writer has it.
 */
public final class RwLock extends PermitQueue {
  /** More readers than any heap has room for; the next one would wait. */
  private static final int READERS = Integer.MAX_VALUE;

  private RwLock(@Nullable String name) {
    super(name, READERS, READERS, false);
  }

  /** A free lock. */
  public static RwLock create() {
    return new RwLock(null);
  }

  /** A free lock with a name for messages and dumps. */
  public static RwLock create(String name) {
    return new RwLock(Objects.requireNonNull(name, "name"));
  }

  /** Waits until no writer has the lock or waits for it before this one. */
  @CheckReturnValue
  public UncheckedFuture<ReadGuard> read() {
    return Watched.unchecked(new Read(this));
  }

  /** Waits until nobody else has the lock. */
  @CheckReturnValue
  public UncheckedFuture<WriteGuard> write() {
    return Watched.unchecked(new Write(this));
  }

  /** Takes a read lock if that needs no waiting; to be given back by {@link #unlockRead()}. */
  public boolean tryRead() {
    return tryTake(1);
  }

  /** Takes the write lock if that needs no waiting; to be given back by {@link #unlockWrite()}. */
  public boolean tryWrite() {
    return tryTake(READERS);
  }

  /**
   * Gives a read lock back.
   *
   * @throws IllegalStateException if no reader has the lock
   */
  public void unlockRead() {
    StackRoom.forCalls();
    give(1, 1, READERS - 1);
  }

  /**
   * Gives the write lock back.
   *
   * @throws IllegalStateException if no writer has the lock
   */
  public void unlockWrite() {
    StackRoom.forCalls();
    give(READERS, READERS, READERS);
  }

  /**
   * Turns the write lock into a read lock, to be given back by {@link #unlockRead()}. Readers that
   * wait at the head of the queue come in too.
   *
   * @throws IllegalStateException if no writer has the lock
   */
  public void downgrade() {
    StackRoom.forCalls();
    give(READERS - 1, READERS, READERS);
  }

  @Override
  IllegalStateException notHeld(int given, int out) {
    String operation =
        switch (given) {
          case 1 -> "unlockRead()";
          case READERS -> "unlockWrite()";
          default -> "downgrade()";
        };
    return new IllegalStateException(
        operation + " on " + this + ": no " + (given == 1 ? "reader" : "writer") + " has it");
  }

  @Override
  public String toString() {
    int available = available();
    // While somebody waits the word does not tell readers from a writer.
    String state =
        available == READERS
            ? "free"
            : available > 0
                ? (READERS - available) + " reading"
                : hasWaiters() ? "busy" : "writing";
    return describe("RwLock", state);
  }

  /** Has a read lock until it is closed. */
  public interface ReadGuard extends AutoCloseable {
    /** Gives the read lock back. Closing again does nothing. */
    @Override
    void close();
  }

  /** Has the write lock until it is closed or downgraded. */
  public interface WriteGuard extends AutoCloseable {
    /**
     * Turns it into a read lock; this guard is closed by it.
     *
     * @throws IllegalStateException if closed
     */
    ReadGuard downgrade();

    /** Gives the write lock back. Closing again, or after a downgrade, does nothing. */
    @Override
    void close();
  }

  private static final class Read extends PermitWait<RwLock>
      implements UncheckedFuture<ReadGuard>, ReadGuard {
    Read(RwLock lock) {
      super(lock, 1);
    }

    private Read(RwLock lock, byte outcome) {
      super(lock, 1, outcome);
    }

    @Override
    public @Nullable ReadGuard poll(Context cx) {
      return acquire(cx) ? this : null;
    }

    @Override
    void giveBack() {
      queue.giveBack(1, 1, READERS - 1);
    }

    @Override
    public void close() {
      if (end()) {
        giveBack();
      }
    }

    @Override
    String what() {
      return "a read lock";
    }
  }

  private static final class Write extends PermitWait<RwLock>
      implements UncheckedFuture<WriteGuard>, WriteGuard {
    Write(RwLock lock) {
      super(lock, READERS);
    }

    @Override
    public @Nullable WriteGuard poll(Context cx) {
      return acquire(cx) ? this : null;
    }

    @Override
    public ReadGuard downgrade() {
      var reading = new Read(queue, HELD); // before the step: no memory must leave it as it was
      surrender("downgrade");
      queue.giveBack(READERS - 1, READERS, READERS);
      return reading;
    }

    @Override
    void giveBack() {
      queue.giveBack(READERS, READERS, READERS);
    }

    @Override
    public void close() {
      if (end()) {
        giveBack();
      }
    }

    @Override
    String what() {
      return "the write lock";
    }
  }
}
