package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@Strict
class LatchTest {
  private final Latch latch = new Latch(Thread.currentThread(), null);

  @Test
  void set_whenUnsetOrSleepy_needsNoWake() {
    assertThat(latch.isSet()).isFalse();
    assertThat(latch.becomeSleepy()).isTrue();
    assertThat(latch.toString()).isEqualTo("Latch[SLEEPY]");
    assertThat(latch.setAndSeeSleeper()).isFalse();
    assertThat(latch.isSet()).isTrue();
  }

  @Test
  void set_whenSleeping_mustWake() {
    assertThat(latch.becomeSleepy() && latch.fallAsleep()).isTrue();
    assertThat(latch.toString()).isEqualTo("Latch[SLEEPING]");
    assertThat(latch.setAndSeeSleeper()).isTrue();
    assertThat(latch.toString()).isEqualTo("Latch[SET]");
  }

  @Test
  void transitions_outOfOrder_areRefused() {
    assertThat(latch.fallAsleep()).isFalse();
    assertThat(latch.becomeSleepy()).isTrue();
    assertThat(latch.becomeSleepy()).isFalse();
    assertThat(latch.fallAsleep()).isTrue();
    assertThat(latch.fallAsleep()).isFalse();
    latch.wakeUp();
    assertThat(latch.toString()).isEqualTo("Latch[UNSET]");
    assertThat(latch.becomeSleepy()).isTrue();
    latch.wakeUp();
    assertThat(latch.toString()).isEqualTo("Latch[UNSET]");
  }

  @Test
  void set_isFinal() {
    latch.set();
    assertThat(latch.becomeSleepy()).isFalse();
    assertThat(latch.fallAsleep()).isFalse();
    latch.wakeUp();
    assertThat(latch.isSet()).isTrue();
  }

  @Test
  void set_whileFallingAsleep_isSeen() {
    assertThat(latch.becomeSleepy()).isTrue();
    latch.set();
    assertThat(latch.fallAsleep()).isFalse();
    latch.wakeUp();
    assertThat(latch.isSet()).isTrue();
  }

  @Test
  void awaitOutsidePool_returnsWhenSet_andKeepsTheInterrupt() throws Exception {
    var kept = new AtomicBoolean();
    var made = new java.util.concurrent.CompletableFuture<Latch>();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> {
              Latch mine = new Latch(Thread.currentThread(), null);
              made.complete(mine);
              mine.awaitOutsidePool();
              kept.set(Thread.currentThread().isInterrupted());
            });
    Latch theirs = made.get();
    Await.untilWaiting(waiter);
    waiter.interrupt();
    Await.until(() -> !waiter.isInterrupted(), "the interrupt to be taken");
    theirs.set();
    waiter.join();
    assertThat(kept).isTrue();
  }

  @Test
  void countLatch_isSetByTheLast() {
    var count = new CountLatch(Thread.currentThread(), null, 1);
    count.begin();
    assertThat(count.tryBegin()).isTrue();
    count.end();
    count.end();
    assertThat(count.isSet()).isFalse();
    count.end();
    assertThat(count.isSet()).isTrue();
    assertThat(count.tryBegin()).isFalse();
  }
}
