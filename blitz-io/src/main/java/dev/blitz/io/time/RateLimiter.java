package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.Watched;
import java.time.Duration;
import java.util.Objects;

/**
 * At most so many in a period: a bucket that begins full of tokens and is refilled evenly, up to
 * its burst. Whoever wants to go on takes tokens out, or waits for them; they are used up, not
 * given back.
 *
 * {@snippet :
 * RateLimiter requests = RateLimiter.create(100, Duration.ofSeconds(1), 20);
 * requests.acquire().await(); // 100 a second, 20 of them at once
 * if (requests.tryAcquire(5)) {
 *   sendFive();
 * }
 * }
 *
 * <p>First come, first served: one who wants many tokens holds up those behind it until they have
 * come, and {@link #tryAcquire()} overtakes nobody. In the long run the rate is exact: no fraction
 * of a token is lost. No token is granted early; as timers have a resolution of 62.5 microseconds,
 * what falls due within as many may be granted together. A wait that is dropped uses nothing up;
 * one that the close of the runtime overtakes fails with {@link IllegalStateException}.
 *
 * <p>Thread safe; made inside a runtime, whose clock it follows, and used from anywhere. Without
 * waiting nothing is allocated; all who wait share one timer.
 */
/* Implementation notes
 *
 * With t tokens each p nanoseconds (in lowest terms) `credit` counts in
 * t-ths of a nanosecond: it grows by t with each nanosecond, and a token costs p. So there is no rounding.
 *
 * While somebody waits, the credit is not limited: the oldest would have taken its tokens the moment they were there,
 * hence the bucket never overflowed, however late the alarm is. Only what is left over with nobody waiting is cut to
 * the burst.
 */
public final class RateLimiter extends TimedQueue {
  /** Beyond this the credit is as good as endless; sums of two do not overflow. */
  private static final long MAX_CREDIT = Long.MAX_VALUE / 4;

  private final int burst;

  /** Credit that comes with each nanosecond. */
  private final long gain;

  /** Credit for one token. */
  private final long cost;

  private long credit;

  /** The moment up to which the credit has been counted. */
  private long countedNanos;

  private RateLimiter(RuntimeTimers timers, long gain, long cost, int burst) {
    super(timers);
    this.gain = gain;
    this.cost = cost;
    this.burst = burst;
    this.credit = burst * cost;
    this.countedNanos = alarm.nowNanos();
  }

  /**
   * A full bucket that holds and gets {@code tokens} for each {@code period}.
   *
   * @throws IllegalArgumentException as {@link #create(int, Duration, int)}
   * @throws IllegalStateException outside any runtime
   */
  public static RateLimiter create(int tokens, Duration period) {
    return create(tokens, period, tokens);
  }

  /**
   * A full bucket that gets {@code tokens}, one after the other, for each {@code period}.
   *
   * @param burst how many it holds: so many may go on at once after a pause
   * @throws IllegalArgumentException if a number or the period is not positive, or the bucket takes
   *     longer than 70 years to fill
   * @throws IllegalStateException outside any runtime
   */
  public static RateLimiter create(int tokens, Duration period, int burst) {
    Objects.requireNonNull(period, "period");
    if (tokens < 1 || burst < 1 || period.isZero() || period.isNegative()) {
      throw refused(tokens, period, burst, "all of them must be positive");
    }
    long nanos = TickClock.saturatedNanos(period);
    long divisor = gcd(tokens, nanos);
    long cost = nanos / divisor;
    if (cost > MAX_CREDIT / burst) {
      throw refused(tokens, period, burst, "the bucket would not be full in 70 years");
    }
    return new RateLimiter(Current.required("a timer").timers(), tokens / divisor, cost, burst);
  }

  private static IllegalArgumentException refused(
      int tokens, Duration period, int burst, String why) {
    return new IllegalArgumentException(
        "a rate of " + tokens + " for each " + period + " and a burst of " + burst + ": " + why);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  // --- Taking tokens ---

  /** Waits for one token. */
  @CheckReturnValue
  public UncheckedFuture<Done> acquire() {
    return Watched.unchecked(new Acquire(this, 1));
  }

  /**
   * Waits for {@code tokens} at once.
   *
   * @throws IllegalArgumentException if that is less than one or more than the burst
   */
  @CheckReturnValue
  public UncheckedFuture<Done> acquire(int tokens) {
    return Watched.unchecked(new Acquire(this, check("acquire", tokens)));
  }

  /** Takes a token if there is one and nobody waits. */
  public boolean tryAcquire() {
    return tryTake(1);
  }

  /**
   * Takes {@code tokens} if they are there and nobody waits.
   *
   * @throws IllegalArgumentException if that is less than one or more than the burst
   */
  public boolean tryAcquire(int tokens) {
    return tryTake(check("tryAcquire", tokens));
  }

  /** How many tokens {@link #tryAcquire(int)} could take now; 0 while somebody waits. */
  public int available() {
    StackRoom.forCalls();
    Link served;
    int available;
    waiting.lock();
    try {
      served = serve();
      available = waiting.isEmpty() ? (int) (credit / cost) : 0;
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return available;
  }

  private int check(String operation, int tokens) {
    if (tokens < 1 || tokens > burst) {
      throw new IllegalArgumentException(
          operation + "(" + tokens + ") on " + this + ": from 1 to " + burst + ", its burst");
    }
    return tokens;
  }

  private boolean tryTake(int tokens) {
    StackRoom.forCalls();
    Link served;
    boolean taken;
    waiting.lock();
    try {
      served = serve();
      taken = waiting.isEmpty() && take(tokens);
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return taken;
  }

  // --- Under the lock ---

  private boolean take(int tokens) {
    if (credit < tokens * cost) {
      return false;
    }
    credit -= tokens * cost;
    return true;
  }

  @Override
  void count() {
    long now = alarm.nowNanos();
    long passed = Math.max(0, now - countedNanos);
    countedNanos = Math.max(now, countedNanos);
    credit = passed > (MAX_CREDIT - credit) / gain ? MAX_CREDIT : credit + passed * gain;
  }

  @Override
  void keepNoMore() {
    credit = Math.min(credit, burst * cost);
  }

  @Override
  long dueNanos() {
    var oldest = (Acquire) Objects.requireNonNull(waiting.first());
    long missing = oldest.tokens * cost - credit;
    return countedNanos + (missing + gain - 1) / gain;
  }

  @Override
  public String toString() {
    Duration period = Duration.ofNanos(cost);
    return "RateLimiter[" + gain + " for each " + period + ", burst " + burst + "]";
  }

  private static final class Acquire extends Wait<Done> {
    private final RateLimiter limiter;
    final int tokens;

    Acquire(RateLimiter limiter, int tokens) {
      super(limiter);
      this.limiter = limiter;
      this.tokens = tokens;
    }

    @Override
    boolean take() {
      return limiter.take(tokens);
    }

    @Override
    void giveBack() {
      limiter.credit += tokens * limiter.cost;
    }

    @Override
    Done taken() {
      return Done.DONE;
    }

    @Override
    public String toString() {
      return (tokens == 1 ? "a token" : tokens + " tokens") + " of " + limiter;
    }
  }
}
