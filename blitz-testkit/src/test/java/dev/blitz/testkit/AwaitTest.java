package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@Strict
class AwaitTest {

  @Test
  void until_returnsOnceTheConditionHolds() {
    var looks = new AtomicInteger();

    Await.until(() -> looks.incrementAndGet() == 5, "five looks");

    assertThat(looks).hasValue(5);
  }

  @Test
  void until_saysWhatItWaitedForInVain() {
    assertThatThrownBy(() -> Await.until(() -> false, "the moon", Duration.ofMillis(20)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("waited 20 ms in vain for: the moon");
  }

  @Test
  void until_failsAtOnceWhenTheConditionThrows() {
    assertThatThrownBy(() ->
            Await.until(
                () -> {
                  throw new IOException("gone");
                },
                "an answer"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("failed while waiting for: an answer")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void until_failsWhenInterrupted_andKeepsTheStatus() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Await.until(() -> false, "peace"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("interrupted while waiting for: peace");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void untilCollected_leavesTheOthersAsMuchTimeAsTheCollectionsTake() {
    List<Long> begins = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    Runnable collection =
        () -> {
          begins.add(System.nanoTime());
          LockSupport.parkNanos(150_000_000);
          ends.add(System.nanoTime());
        };

    Await.untilCollected(collection, () -> ends.size() == 2, "two", Timeouts.MEDIUM);

    for (int i = 1; i < ends.size(); i++) {
      assertThat(begins.get(i) - ends.get(i - 1))
          .isGreaterThanOrEqualTo(ends.get(i - 1) - begins.get(i - 1));
    }
  }

  @Test
  void untilCollected_looksAfterACollection() {
    var garbage = new WeakReference<>(new Object());

    Await.untilCollected(() -> garbage.refersTo(null), "it to be collected");

    assertThat(garbage.get()).isNull();
  }

  @Test
  void untilWaiting_seesPlatformAndVirtualThreadsWait() throws InterruptedException {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      var latch = new CountDownLatch(1);
      Thread thread = builder.start(() -> await(latch));

      Await.untilWaiting(thread);

      assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
      latch.countDown();
      thread.join();
    }
  }

  @Test
  void untilWaiting_failsForAThreadThatEnded() throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(() -> {});
    thread.join();

    assertThatThrownBy(() -> Await.untilWaiting(thread))
        .isInstanceOf(AssertionError.class)
        .hasRootCauseMessage("it ended");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
