package dev.blitz.io.internal.timer;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Does the same to a wheel and to a priority queue, and compares: what fires, when, in which order.
 *
 * <p>Schedules, cancels, resets and jumps of the clock are drawn at random; some of the first three
 * come from inside {@code fire()}, where a batch may be half fired and a slot half cascaded.
 */
final class WheelModelRun {
  /** Later than this, durations in nanoseconds would overflow. */
  private static final long LAST_FRESH = TickClock.tickAtOrBefore(Long.MAX_VALUE / 2);

  private final HierarchicalTimerWheel wheel;
  private final SplittableRandom random;
  private final long longest;
  private final PriorityQueue<Arming> model =
      new PriorityQueue<>(Comparator.comparingLong(Arming::tick).thenComparingLong(Arming::order));
  private final List<Timer> timers = new ArrayList<>();

  /** What has a duration and no deadline yet, in the order it came. */
  private final Map<Timer, Long> fresh = new LinkedHashMap<>();

  private long now;
  private final TickClock clock = new TickClock(() -> TickClock.startNanos(now));
  private long scheduled;
  private long fired;
  private long cancelled;

  WheelModelRun(HierarchicalTimerWheel wheel, SplittableRandom random, long longest) {
    this.wheel = wheel;
    this.random = random;
    this.longest = longest;
  }

  long scheduled() {
    return scheduled;
  }

  long fired() {
    return fired;
  }

  long cancelled() {
    return cancelled;
  }

  /** One random action. */
  void step() {
    if (random.nextInt(32) == 0) {
      admit();
    } else if (random.nextInt(16) == 0) {
      advanceTo(now + random.nextLong(randomSpan()));
    } else {
      change();
    }
    checkNextTick();
  }

  /** Lets the rest expire. */
  void finish() {
    while (wheel.size() > 0) {
      admit();
      advanceTo(now + longest);
    }
    require(firstArmed() == null, "the wheel lost what the model still has");
  }

  private void change() {
    int dice = random.nextInt(10);
    if (dice < 6 || timers.isEmpty()) {
      schedule();
    } else {
      var timer = timers.get(random.nextInt(timers.size()));
      if (dice < 8) {
        cancel(timer);
      } else {
        reschedule(timer);
      }
    }
  }

  private void schedule() {
    var timer = new Timer();
    timer.index = timers.size();
    timers.add(timer);
    if (random.nextInt(4) == 0 && now < LAST_FRESH) {
      long delay = randomDelay();
      wheel.scheduleFresh(timer, TickClock.startNanos(delay));
      fresh.put(timer, delay);
      return;
    }
    long tick = now + randomDelay();
    boolean earlier = tick < wheel.nextTick();
    require(wheel.schedule(timer, tick) == earlier, "schedule says not " + earlier);
    arm(timer, tick);
  }

  private void admit() {
    long least = Long.MAX_VALUE;
    for (var delay : fresh.values()) {
      least = Math.min(least, now + delay);
    }
    long expected = least < wheel.nextTick() ? least : Long.MAX_VALUE;
    require(wheel.admit(clock) == expected, "admit does not say " + expected);
    require(!wheel.hasFresh(), "fresh after admit");
    fresh.forEach((timer, delay) -> arm(timer, now + delay));
    fresh.clear();
  }

  private void cancel(Timer timer) {
    boolean pending = timer.isScheduled();
    require(wheel.cancel(timer) == pending, "cancel says not " + pending);
    if (fresh.remove(timer) != null) {
      scheduled++;
      cancelled++;
      forget(timer);
    } else if (pending) {
      disarm(timer);
      forget(timer);
    } // else it is in a batch whose fire() calls are not over: the model still has it
  }

  private void reschedule(Timer timer) {
    boolean pending = timer.isScheduled();
    long tick = now + randomDelay();
    wheel.reschedule(timer, tick);
    if (fresh.remove(timer) != null) {
      scheduled++;
      cancelled++;
    } else if (pending) {
      disarm(timer);
    }
    arm(timer, tick);
  }

  private void arm(Timer timer, long tick) {
    var arming = new Arming(timer, tick, scheduled++);
    timer.armings++;
    timer.latest = arming;
    model.add(arming);
  }

  private void disarm(Timer timer) {
    var arming = requireNonNull(timer.latest);
    require(!arming.dead, "the wheel had what the model had not");
    arming.dead = true;
    timer.armings--;
    cancelled++;
  }

  private void forget(Timer timer) {
    if (timer.armings == 0) {
      var last = timers.removeLast();
      if (last.index != timer.index) {
        timers.set(timer.index, last);
        last.index = timer.index;
      }
    }
  }

  private void advanceTo(long tick) {
    now = tick;
    do {
      wheel.advance(now);
    } while (wheel.nextTick() <= now);
    var first = firstArmed();
    require(first == null || first.tick > now, "late: " + first + " at " + now);
  }

  private void onFire(Timer timer) {
    var expected = requireNonNull(firstArmed(), "fired, but the model has none");
    model.remove();
    require(expected.timer.index == timer.index, "out of order: " + expected);
    require(expected.tick <= now, "early: " + expected + " at " + now);
    fired++;
    timer.armings--;
    forget(timer);
    if (random.nextInt(8) == 0) {
      change();
    }
  }

  private void checkNextTick() {
    var first = firstArmed();
    long exact = first == null ? Long.MAX_VALUE : first.tick;
    require(wheel.nextTick() <= exact, "next tick " + wheel.nextTick() + " after " + first);
    require(wheel.nextTick() > now || first != null, "next tick of an empty wheel");
  }

  private @Nullable Arming firstArmed() {
    while (!model.isEmpty() && model.peek().dead) {
      model.remove();
    }
    return model.peek();
  }

  /** Every order of magnitude is as likely as another. */
  private long randomSpan() {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(longest);
    return Math.min(longest + 1, 1L << random.nextInt(bits + 1));
  }

  private long randomDelay() {
    return random.nextLong(randomSpan());
  }

  private static void require(boolean holds, String complaint) {
    if (!holds) {
      throw new AssertionError(complaint);
    }
  }

  /** One schedule of a timer, as the model sees it. */
  private static final class Arming {
    private final Timer timer;
    private final long tick;
    private final long order;
    private boolean dead;

    Arming(Timer timer, long tick, long order) {
      this.timer = timer;
      this.tick = tick;
      this.order = order;
    }

    long tick() {
      return tick;
    }

    long order() {
      return order;
    }

    @Override
    public String toString() {
      return "timer " + timer.index + " due " + tick + " (" + timer.describeState() + ")";
    }
  }

  private final class Timer extends TimerEntry {
    private int index;
    private int armings;
    private @Nullable Arming latest;

    @Override
    protected void fire() {
      onFire(this);
    }
  }
}
