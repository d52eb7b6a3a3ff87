package dev.blitz.io.future;

import dev.blitz.io.internal.wait.TimeoutFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A computation that is driven by polling: nothing happens before the first {@link #poll}, and
 * nothing after {@link #drop}.
 *
 * <p>A future is a small state machine with one owner: the task that runs it, or the combinator
 * that contains it. The owner polls it until it yields a value or throws, or drops it instead; it
 * never does both at the same time, and there is a happens-before edge between any two of these
 * calls.
 *
 * {@snippet :
 * Future<Integer> length = Futures.ready("blitz").map(String::length);
 * int five = Blitz.run(length);
 * }
 *
 * <p>A combinator polls what it contains, so futures around futures take stack: a thousand deep is
 * always fine, where it ends depends on the size of the stack. One that is too deep fails its task
 * with a {@link StackOverflowError} and harms no other. What is to be repeated is not nested but
 * {@linkplain Futures#loop looped}, or continued by the function of an {@link #andThen}; both take
 * the same space for any number of rounds.
 *
 * <p>Writing a leaf future by hand:
 *
 * <ul>
 *   <li>Hold nothing before the first poll.
 *   <li>When there is nothing yet: store {@code cx.waker()} where the event will find it,
 *       <em>then</em> look again, then return null.
 *   <li>If it may be ready many times in a row, it charges: {@link Context#proceed()} before the
 *       look, {@link Context#refund()} when that found nothing.
 *   <li>In {@link #drop}: undo the registration, and pass on what had been granted meanwhile.
 *   <li>Say in {@code toString} what is being waited for; {@code BlitzRuntime.dump()} shows it.
 * </ul>
 *
 * @param <T> the type of the result, which is never null
 */
@FunctionalInterface
public interface Future<T> {

  /**
   * Makes progress.
   *
   * @return the result, or null while pending; then the waker of {@code cx} has been stored and
   *     will be woken when another poll makes sense
   * @throws Exception what the computation throws; the future has then ended
   */
  @Nullable T poll(Context cx) throws Exception;

  /**
   * Ends the future instead of any further poll: gives back everything it holds (a place in a
   * queue, a permit, a message, a timer). Called by the owner only, at most once, also before the
   * first poll, never after a result or a throw. Must neither block nor throw.
   */
  default void drop() {}

  /**
   * Waits for the result on the calling thread, which must not be a worker inside a poll.
   *
   * @throws CancelledException if the thread is interrupted while it waits; the future has been
   *     dropped and the interrupt status is kept
   * @throws IllegalStateException if called inside {@link #poll}
   */
  default T await() throws Exception {
    return ThreadAwait.await(this);
  }

  /** The result passed through {@code mapper}, which runs inside the poll and must not block. */
  @CheckReturnValue
  default <U> Future<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new MapFuture<>(this, mapper);
  }

  /** Continues with the future that {@code next} makes from the result. */
  @CheckReturnValue
  default <U> Future<U> andThen(ThrowingFunction<? super T, ? extends Future<? extends U>> next) {
    return new AndThenFuture<>(this, next);
  }

  /**
   * Replaces a failure by the value that {@code handler} makes of it. Errors and cancellation pass.
   */
  @CheckReturnValue
  default Future<T> recover(ThrowingFunction<? super Exception, ? extends T> handler) {
    return new RecoverFuture<>(this, handler);
  }

  /**
   * Runs {@code cleanup} exactly once when this future ends in whatever way: a result, a failure or
   * a drop. Holds that also for a drop before the first poll.
   */
  @CheckReturnValue
  default Future<T> whenDone(Cleanup cleanup) {
    return new WhenDoneFuture<>(this, cleanup);
  }

  /**
   * This future for at most {@code limit} from its first poll; then it is dropped and {@link
   * TimedOutException} is thrown. Needs a runtime, for its timers.
   */
  @CheckReturnValue
  default Future<T> timeout(Duration limit) {
    return new TimeoutFuture<>(limit, this);
  }

  /**
   * As {@link #timeout}, until a moment: for several steps that share one limit.
   *
   * {@snippet :
   * Deadline deadline = Deadline.after(Duration.ofSeconds(2));
   * TcpStream server = TcpStream.connect(address).timeoutAt(deadline).await();
   * int n = server.read(buffer).timeoutAt(deadline).await();
   * }
   */
  @CheckReturnValue
  default Future<T> timeoutAt(Deadline deadline) {
    return new TimeoutFuture<>(deadline, this);
  }

  /** What {@link #whenDone} runs. */
  @FunctionalInterface
  interface Cleanup {
    /** Gives back what the future used. Must not block. */
    void run() throws Exception;
  }
}
