package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Watched;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits that tasks take and give back: at most so many requests at a time, a rate, a
 * budget of bytes.
 *
 * {@snippet :
 * Semaphore connections = Semaphore.create("connections", 10);
 * try (var permit = connections.acquire().await()) {
 *   query();
 * }
 * }
 *
 * <p>First come, first served: a request for many permits gathers them one by one as they are given
 * back, and younger requests wait behind it, so that it is never starved. Permits are handed
 * straight to the oldest waiter; nobody can overtake between its wake-up and its poll. A
 * {@linkplain #barging(int) barging} semaphore is less strict, and faster where many want it.
 *
 * <p>Permits belong to nobody: any task or thread may give back what another one took. More than
 * the maximum can never be available, so a release too many is an error.
 */
public final class Semaphore extends PermitQueue {

  private Semaphore(@Nullable String name, int permits, int maximum, boolean barging) {
    super(name, permits, maximum, barging);
  }

  /** A semaphore whose permits are all available now. */
  public static Semaphore create(int permits) {
    return create(permits, permits);
  }

  /** The same, with a name for messages and dumps. */
  public static Semaphore create(String name, int permits) {
    return create(name, permits, permits);
  }

  /**
   * A semaphore that begins with {@code permits} and may grow to {@code maximum} by releases: for
   * rates, where permits are used up and others are added.
   *
   * @throws IllegalArgumentException unless 0 &lt;= permits &lt;= maximum and 1 &lt;= maximum
   */
  public static Semaphore create(int permits, int maximum) {
    return new Semaphore(null, checkCreate(permits, maximum), maximum, false);
  }

  /** The same, with a name for messages and dumps. */
  public static Semaphore create(String name, int permits, int maximum) {
    Objects.requireNonNull(name, "name");
    return new Semaphore(name, checkCreate(permits, maximum), maximum, false);
  }

  /**
   * A semaphore whose permits are not handed over: who asks while there are enough has them, also
   * before those who wait; the oldest of them is woken to try, and keeps its place. When 16
   * releases have gone by while it was the oldest, all that is released goes to it until it has
   * enough. So nobody starves, and tasks that use permits briefly and often do not change places
   * each time. Those who wait are still served in their order.
   */
  public static Semaphore barging(int permits) {
    return new Semaphore(null, checkCreate(permits, permits), permits, true);
  }

  /** The same, with a name for messages and dumps. */
  public static Semaphore barging(String name, int permits) {
    Objects.requireNonNull(name, "name");
    return new Semaphore(name, checkCreate(permits, permits), permits, true);
  }

  private static int checkCreate(int permits, int maximum) {
    if (permits < 0 || maximum < 1 || permits > maximum) {
      throw new IllegalArgumentException(
          "a semaphore of "
              + permits
              + " permits, at most "
              + maximum
              + ": at least one must be"
              + " possible, and no more than that available");
    }
    return permits;
  }

  // --- Acquire and release ---

  /** Waits for one permit. */
  @CheckReturnValue
  public UncheckedFuture<Permit> acquire() {
    return Watched.unchecked(new Acquire(this, 1));
  }

  /**
   * Waits for {@code permits} at once. Ends with {@link SemaphoreClosedException} when the
   * semaphore is closed.
   *
   * @throws IllegalArgumentException if that is less than one or more than can ever exist
   */
  @CheckReturnValue
  public UncheckedFuture<Permit> acquire(int permits) {
    return Watched.unchecked(new Acquire(this, checkCount("acquire", permits)));
  }

  /**
   * Takes one permit if there is one and nobody waits (of a {@linkplain #barging(int) barging}
   * semaphore: if there is one); to be given back by {@link #release()}.
   */
  public boolean tryAcquire() {
    return tryTake(1);
  }

  /**
   * Takes {@code permits} if they are there, as {@link #tryAcquire()} does; to be given back by
   * {@link #release(int)}. A closed semaphore has none.
   *
   * @throws IllegalArgumentException if that is less than one or more than can ever exist
   */
  public boolean tryAcquire(int permits) {
    return tryTake(checkCount("tryAcquire", permits));
  }

  /** Gives one permit back, or adds one. */
  public void release() {
    StackRoom.forCalls();
    give(1, 1, maximum());
  }

  /**
   * Gives permits back, or adds some: they go to those who have waited longest.
   *
   * @throws IllegalArgumentException if that is less than one
   * @throws IllegalStateException if more than the maximum would be available; nothing changes
   */
  public void release(int permits) {
    checkRelease("release", permits);
    StackRoom.forCalls();
    give(permits, permits, maximum());
  }

  /**
   * Gives permits back, or adds some, as {@link #release(int)} does, but stops at the maximum: what
   * would be too many is left out. For who fills a bucket and need not know how full it is.
   *
   * @return how many were added
   * @throws IllegalArgumentException if that is less than one
   */
  public int releaseUpTo(int permits) {
    checkRelease("releaseUpTo", permits);
    StackRoom.forCalls();
    return giveUpTo(permits);
  }

  private void checkRelease(String operation, int permits) {
    if (permits < 1) {
      throw new IllegalArgumentException(
          operation + "(" + permits + ") on " + this + ": at least one");
    }
  }

  /**
   * Takes up to {@code permits} of the available ones away for good. Those that are out are not
   * touched; {@link Permit#forget()} is for them.
   *
   * @return how many there were
   */
  public int forget(int permits) {
    if (permits < 0) {
      throw new IllegalArgumentException("forget(" + permits + ") on " + this + ": a count");
    }
    return takeUpTo(permits);
  }

  private int checkCount(String operation, int permits) {
    if (permits < 1 || permits > maximum()) {
      throw new IllegalArgumentException(
          operation
              + "("
              + permits
              + ") on "
              + this
              + ": from 1 to "
              + maximum()
              + ", more can never be available");
    }
    return permits;
  }

  // --- Close ---

  /**
   * Ends the semaphore: all who wait and will come get a {@link SemaphoreClosedException}, {@link
   * #tryAcquire()} answers false. Permits that are out may still be given back. Closing again does
   * nothing.
   */
  public void close() {
    refuseAll();
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return closed();
  }

  /**
   * How many permits {@link #tryAcquire(int)} could take now; 0 while somebody waits, unless it is
   * {@linkplain #barging(int) barging}.
   */
  public int availablePermits() {
    return available();
  }

  @Override
  SemaphoreClosedException refusal() {
    return new SemaphoreClosedException(this + " was closed");
  }

  @Override
  IllegalStateException notHeld(int given, int out) {
    return new IllegalStateException(
        "release("
            + given
            + ") on "
            + this
            + ": only "
            + out
            + " of its permits are out;"
            + " something was released twice");
  }

  @Override
  public String toString() {
    String state = available() + " of " + maximum() + " permits available";
    return describe("Semaphore", closed() ? "closed, " + state : state);
  }

  /** Permits that were acquired. Not thread safe, except that any thread may close it. */
  public interface Permit extends AutoCloseable {

    /** How many permits these are. */
    int permits();

    /**
     * Takes some permits out of these, to be given back separately.
     *
     * @throws IllegalArgumentException unless 1 &lt;= permits &lt; permits()
     * @throws IllegalStateException if closed
     */
    Permit split(int permits);

    /**
     * Adds the other's permits to these; the other is closed by it without giving them back.
     *
     * @throws IllegalArgumentException if the other is of another semaphore, or this one itself
     * @throws IllegalStateException if one of them is closed, or both together are more than the
     *     semaphore can have: something was released twice. Nothing changes then.
     */
    void merge(Permit other);

    /**
     * Closes without giving the permits back: the semaphore has fewer from now on.
     *
     * @throws IllegalStateException if closed
     */
    void forget();

    /** Gives the permits back. Closing again does nothing. */
    @Override
    void close();
  }

  private static final class Acquire extends PermitWait<Semaphore>
      implements UncheckedFuture<Permit>, Permit {
    Acquire(Semaphore semaphore, int count) {
      super(semaphore, count);
    }

    /** A part of permits that are held. */
    private Acquire(int count, Semaphore semaphore) {
      super(semaphore, count, HELD);
    }

    @Override
    public @Nullable Permit poll(Context cx) {
      return acquire(cx) ? this : null;
    }

    @Override
    void giveBack() {
      queue.giveBack(count(), count(), queue.maximum());
    }

    @Override
    public void close() {
      if (end()) {
        giveBack();
      }
    }

    @Override
    public int permits() {
      return isHeld() ? count() : 0;
    }

    @Override
    public Permit split(int permits) {
      checkHeld("split");
      if (permits < 1 || permits >= count()) {
        throw new IllegalArgumentException(
            "split("
                + permits
                + ") of "
                + count()
                + " permits of "
                + queue
                + ": both parts need at least one");
      }
      var part = new Acquire(permits, queue);
      resize(count() - permits);
      return part;
    }

    @Override
    public void merge(Permit other) {
      checkHeld("merge");
      if (!(other instanceof Acquire more) || more.queue != queue || more == this) {
        throw new IllegalArgumentException(
            "merge of " + other + " into " + this + ": only other permits of the same semaphore");
      }
      if (count() > queue.maximum() - more.count()) {
        throw new IllegalStateException(
            "merge of "
                + more
                + " into "
                + this
                + ": together more than it can have; something was released twice");
      }
      more.surrender("merge");
      resize(count() + more.count());
    }

    @Override
    public void forget() {
      surrender("forget");
    }

    private void checkHeld(String operation) {
      if (!isHeld()) {
        throw new IllegalStateException(
            operation + " of permits that were given back, of " + queue);
      }
    }

    @Override
    String what() {
      return count() == 1 ? "a permit" : count() + " permits";
    }
  }
}
