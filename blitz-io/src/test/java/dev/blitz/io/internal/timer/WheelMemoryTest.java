package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a timer costs in bytes. */
@Strict
@OnceIsEnough
class WheelMemoryTest {

  private static final int STORM = 10_000_000;
  private static final int ROUNDS = 1_000;

  private final HierarchicalTimerWheel wheel = new HierarchicalTimerWheel(0);

  /** As large as a sleep future has to be: its waker, and the runtime whose wheel it is in. */
  private static final class SleepSized extends TimerEntry {
    @Nullable Object waker;
    @Nullable Object runtime;

    @Override
    protected void fire() {
      var swap = waker;
      waker = runtime;
      runtime = swap;
    }
  }

  @Test
  void entryWithTwoReferences_takes40Bytes() {
    assumeTrue(Memory.compressedReferences(), "references are 8 bytes");
    var kept = new SleepSized[10_000];
    fill(kept);
    long bytes = Memory.allocatedBy(() -> fill(kept)) / kept.length;
    assertThat(bytes).isBetween(1L, 40L);
  }

  @Test
  void cancelStorm_needsNoMemoryButTheTimersThemselves() {
    var background = new SleepSized[1_000];
    fill(background);
    for (int i = 0; i < background.length; i++) {
      wheel.schedule(background[i], 1L << (i % 35));
    }
    long now = 0;
    long heapBefore = Memory.usedHeapAfterCollection();
    for (int i = 0; i < STORM; i++) {
      var timeout = new SleepSized();
      wheel.schedule(timeout, now + 30_000);
      wheel.cancel(timeout);
      if (i % 10_000 == 0) {
        wheel.advance(++now);
      }
    }
    // Ten million forgotten entries would be 400 MB.
    assertThat(Memory.usedHeapAfterCollection() - heapBefore).isLessThan(32L << 20);
    for (var timer : background) {
      wheel.cancel(timer);
    }
    WheelInvariants.checkEmpty(wheel);
  }

  @Test
  void scheduleCancelAndExpire_allocateNothing() {
    var timers = new SleepSized[100];
    fill(timers);
    long now = churn(timers, 0);
    // Compiled code may be replaced while this runs, at the cost of some bytes in all.
    assertThat(Memory.allocatedBy(() -> churn(timers, now))).isLessThan(ROUNDS);
  }

  private long churn(SleepSized[] timers, long start) {
    long now = start;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < timers.length; i++) {
        wheel.schedule(timers[i], now + i);
      }
      for (int i = 0; i < timers.length; i += 2) {
        wheel.cancel(timers[i]);
      }
      for (int i = 1; i < timers.length; i += 2) {
        wheel.reschedule(timers[i], now + i + 1L);
      }
      now += 200;
      wheel.advance(now);
    }
    return now;
  }

  private static void fill(SleepSized[] timers) {
    for (int i = 0; i < timers.length; i++) {
      timers[i] = new SleepSized();
    }
  }
}
