package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.WaitFuture;
import dev.blitz.io.internal.wait.Waiter;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 * `waiting` is the lock of everything here. With t tokens each p nanoseconds (in lowest terms) `credit` counts in
 * t-ths of a nanosecond: it grows by t with each nanosecond, and a token costs p. So there is no rounding.
 *
 * While somebody waits, the credit is not limited: the oldest would have taken its tokens the moment they were there,
 * hence the bucket never overflowed, however late the alarm is. Only what is left over with nobody waiting is cut to
 * the burst. A waiter is granted by the one who looks: the alarm, a newcomer, one who leaves.
 */
public final class RateLimiter {
  /** Beyond this the credit is as good as endless; sums of two do not overflow. */
  private static final long MAX_CREDIT = Long.MAX_VALUE / 4;

  private final WaitAlarm alarm;
  private final LinkList waiting = new LinkList();
  private final int burst;

  /** Credit that comes with each nanosecond. */
  private final long gain;

  /** Credit for one token. */
  private final long cost;

  private long credit;

  /** The moment up to which the credit has been counted. */
  private long countedNanos;

  private RateLimiter(RuntimeTimers timers, long gain, long cost, int burst) {
    this.alarm = new WaitAlarm(timers, this::onTime);
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
    return new Acquire(this, 1);
  }

  /**
   * Waits for {@code tokens} at once.
   *
   * @throws IllegalArgumentException if that is less than one or more than the burst
   */
  @CheckReturnValue
  public UncheckedFuture<Done> acquire(int tokens) {
    return new Acquire(this, check("acquire", tokens));
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
      taken = take(tokens);
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
    return taken;
  }

  private void onTime() {
    StackRoom.forCalls();
    Link served;
    waiting.lock();
    try {
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
  }

  // --- Under the lock ---

  private boolean take(int tokens) {
    if (!waiting.isEmpty() || credit < tokens * cost) {
      return false;
    }
    credit -= tokens * cost;
    return true;
  }

  /** Counts up to now, then grants the oldest waiters, who are to be woken. */
  private @Nullable Link serve() {
    long now = alarm.nowNanos();
    long passed = Math.max(0, now - countedNanos);
    countedNanos = Math.max(now, countedNanos);
    credit = passed > (MAX_CREDIT - credit) / gain ? MAX_CREDIT : credit + passed * gain;
    return grant();
  }

  private @Nullable Link grant() {
    Acquire last = null;
    int granted = 0;
    boolean refused = false;
    boolean closed = alarm.isClosed(); // then nobody can wait any more
    for (Link link = waiting.first(); link != null; link = link.following()) {
      Acquire waiter = (Acquire) link;
      long price = waiter.tokens * cost;
      if (credit >= price && !refused) {
        credit -= price;
        granted++;
      } else if (closed) {
        refused = true; // it and those behind it go away without
      } else {
        break;
      }
      last = waiter;
    }
    Link served = last == null ? null : waiting.takeThrough(last);
    for (Link link = served; link != null; link = link.following()) {
      ((Acquire) link).settle(granted-- > 0 ? Acquire.GRANTED : Acquire.CLOSED);
    }
    if (waiting.isEmpty()) {
      credit = Math.min(credit, burst * cost);
    }
    setAlarm();
    return served;
  }

  private void setAlarm() {
    var oldest = (Acquire) waiting.first();
    if (oldest == null) {
      alarm.unset();
    } else {
      long missing = oldest.tokens * cost - credit;
      alarm.set(countedNanos + (missing + gain - 1) / gain);
    }
  }

  // --- Waiting ---

  /** The first poll: takes the tokens, or queues for them. */
  private byte join(Acquire waiter, Waker waker) {
    Link served;
    byte outcome = Acquire.GRANTED;
    waiting.lock();
    try {
      served = serve();
      if (!take(waiter.tokens)) {
        waiter.enter(waiting, waker);
        setAlarm();
        outcome = Waiter.UNSETTLED;
      }
    } finally {
      waiting.unlock();
    }
    try {
      alarm.tellAndWake(served);
    } catch (Throwable t) {
      if (outcome == Waiter.UNSETTLED) {
        leave(waiter); // no worker can be had that would turn the timers
      }
      throw t;
    }
    if (outcome == Waiter.UNSETTLED && alarm.isClosed()) {
      onTime(); // the close may have told those who waited before
      return waiter.now();
    }
    return outcome;
  }

  /** One who waited is gone: so is its place, or its tokens come back. */
  private void leave(Acquire waiter) {
    Link served;
    waiting.lock();
    try {
      if (!waiter.leave(waiting) && waiter.now() == Acquire.GRANTED) {
        credit += waiter.tokens * cost;
      }
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
  }

  /** Whether somebody waits; for tests. */
  boolean hasWaiters() {
    return !waiting.isEmptyNow();
  }

  @Override
  public String toString() {
    Duration period = Duration.ofNanos(cost);
    return "RateLimiter[" + gain + " for each " + period + ", burst " + burst + "]";
  }

  private static final class Acquire extends WaitFuture<Done> {
    static final byte GRANTED = 1;
    static final byte CLOSED = 2;

    private final RateLimiter limiter;
    final int tokens;

    Acquire(RateLimiter limiter, int tokens) {
      super(limiter.waiting);
      this.limiter = limiter;
      this.tokens = tokens;
    }

    byte now() {
      return outcome();
    }

    @Override
    protected byte join(Waker waker) {
      return limiter.join(this, waker);
    }

    @Override
    protected Done end(byte outcome) {
      if (outcome == CLOSED) {
        throw limiter.alarm.refusal();
      }
      return Done.DONE;
    }

    @Override
    protected void leave() {
      limiter.leave(this);
    }

    @Override
    public String toString() {
      return (tokens == 1 ? "a token" : tokens + " tokens") + " of " + limiter;
    }
  }
}
