package dev.blitz.io.policy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How long to pause before something that has failed is tried again, and when to give up.
 *
 * {@snippet :
 * Backoff patient = Backoff.exponential(Duration.ofMillis(100)) // 100 ms, 200 ms, 400 ms ...
 *     .cap(Duration.ofSeconds(10))
 *     .jitter(0.5) // each pause is cut by up to a half at random: many clients do not come back as one
 *     .limit(5); // the sixth failure is final
 * String page = Task.retry(patient, () -> fetch(url));
 * }
 *
 * <p>A value; without {@link #limit} it never gives up. Cancellation and Errors are never retried,
 * whoever uses it.
 *
 * @param first the pause after the first failure
 * @param factor what each further pause is longer by, at least 1
 * @param cap no pause is longer
 * @param jitter the part of a pause, 0 to 1, of which a random share is left out
 * @param limit how many retries there are
 * @param per the time within which so many are too many; {@link #ALWAYS} if all of them count
 */
public record Backoff(
    Duration first, double factor, Duration cap, double jitter, int limit, Duration per) {

  /** All retries count for the limit, however long ago they were. */
  public static final Duration ALWAYS = Duration.ofSeconds(Long.MAX_VALUE);

  /** Checks the ranges. */
  public Backoff {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(cap, "cap");
    Objects.requireNonNull(per, "per");
    if (first.isNegative() || cap.isNegative() || per.isNegative()) {
      throw new IllegalArgumentException("a pause cannot be negative");
    }
    if (!(factor >= 1) || !(jitter >= 0 && jitter <= 1) || limit < 0) {
      throw new IllegalArgumentException(
          "a factor is 1 or more, jitter between 0 and 1, a limit not negative: "
              + factor
              + ", "
              + jitter
              + ", "
              + limit);
    }
  }

  /** Pauses that double, from {@code first} up to a minute. */
  public static Backoff exponential(Duration first) {
    return new Backoff(first, 2, Duration.ofMinutes(1), 0, Integer.MAX_VALUE, ALWAYS);
  }

  /** Pauses of the same length. */
  public static Backoff fixed(Duration pause) {
    return new Backoff(pause, 1, pause, 0, Integer.MAX_VALUE, ALWAYS);
  }

  /** With another factor. */
  public Backoff factor(double longer) {
    return new Backoff(first, longer, cap, jitter, limit, per);
  }

  /** With another longest pause. */
  public Backoff cap(Duration longest) {
    return new Backoff(first, factor, longest, jitter, limit, per);
  }

  /** With pauses that are shorter by a random share of this part of them. */
  public Backoff jitter(double part) {
    return new Backoff(first, factor, cap, part, limit, per);
  }

  /** Gives up after so many retries. */
  public Backoff limit(int retries) {
    return limit(retries, ALWAYS);
  }

  /**
   * Gives up when there have been so many retries within this time. What has gone well for that
   * long begins anew with the first pause.
   */
  public Backoff limit(int retries, Duration within) {
    return new Backoff(first, factor, cap, jitter, retries, within);
  }

  /**
   * Begins to count failures, for a loop of one's own.
   *
   * @param seed draws the jitter: the same one gives the same pauses, so clients that are not to
   *     come back as one need different ones
   */
  public Course begin(long seed) {
    return new Course(this, seed);
  }

  private Duration pause(int retry, double random) {
    double nanos = Math.min((double) nanos(cap), nanos(first) * Math.pow(factor, retry - 1.0));
    return Duration.ofNanos((long) (nanos * (1 - jitter * random)));
  }

  /** No more than there are in a long. */
  private static long nanos(Duration d) {
    return d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : d.toNanos();
  }

  /** The failures of one thing that is being tried. For one task or thread at a time. */
  public static final class Course {
    private final Backoff backoff;
    private final SplittableRandom random;
    private final ArrayDeque<Long> recent = new ArrayDeque<>();
    private int retries;

    private Course(Backoff backoff, long seed) {
      this.backoff = backoff;
      this.random = new SplittableRandom(seed);
    }

    /**
     * After a failure.
     *
     * @param nowNanos by the clock that measures {@link Backoff#per}
     * @return the pause before the next try, or nothing if there is to be none
     */
    public Optional<Duration> next(long nowNanos) {
      if (!backoff.per.equals(ALWAYS)) {
        forgetBefore(nowNanos);
      }
      if (retries >= backoff.limit) {
        return Optional.empty();
      }
      retries++;
      return Optional.of(backoff.pause(retries, random.nextDouble()));
    }

    private void forgetBefore(long nowNanos) {
      long perNanos = nanos(backoff.per);
      while (!recent.isEmpty() && nowNanos - recent.peekFirst() >= perNanos) {
        recent.removeFirst();
      }
      retries = recent.size();
      if (retries < backoff.limit) {
        recent.addLast(nowNanos);
      }
    }

    @Override
    public String toString() {
      return retries + " retries of " + backoff;
    }
  }
}
