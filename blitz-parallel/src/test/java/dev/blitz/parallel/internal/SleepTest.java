package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class SleepTest {
  private final Sleep sleep = new Sleep(2, 1);
  private final WorkerCounters stats = new WorkerCounters();

  private Thread sleeper(int index) {
    return Thread.ofPlatform()
        .start(() -> {
          sleep.startLooking();
          int snapshot = sleep.announceSleepy();
          sleep.sleep(index, snapshot, null, stats, latch -> false);
          foundWork();
        });
  }

  /** As a worker that then sees something else to do. */
  private void foundWork() {
    if (sleep.foundWork()) {
      sleep.wakeAny(1);
    }
  }

  private void assertQuiet() {
    long word = sleep.counters().read();
    assertThat(SleepCounters.sleeping(word)).isZero();
    assertThat(SleepCounters.inactive(word)).isZero();
  }

  @Test
  void posted_wakesASleeper() throws Exception {
    Thread thread = sleeper(0);
    Await.untilWaiting(thread);
    assertThat(sleep.posted(1, true)).isEqualTo(1);
    thread.join();
    assertQuiet();
    assertThat(stats.sleptCount()).isEqualTo(1);
    assertThat(stats.wokenCount()).isEqualTo(1);
  }

  @Test
  void posted_withEnoughAwakeIdle_wakesNobodyUnlessTheQueueWasBusy() throws Exception {
    Thread thread = sleeper(0);
    Await.untilWaiting(thread);
    sleep.startLooking();
    assertThat(sleep.posted(1, true)).isZero();
    assertThat(sleep.posted(1, false)).isEqualTo(1);
    thread.join();
    foundWork();
    assertQuiet();
  }

  @Test
  void foundWork_byTheLastSearcherAfterAPost_wakesTheNext() throws Exception {
    Thread thread = sleeper(0);
    Await.untilWaiting(thread);
    sleep.startLooking();
    assertThat(sleep.posted(1, true)).isZero();
    foundWork();
    thread.join();
    assertQuiet();
  }

  /** Two posts may have counted on it before it announced, and it found only one. */
  @Test
  void foundWork_byTheLastSearcherAfterItAnnounced_wakesTheNext() throws Exception {
    Thread thread = sleeper(0);
    Await.untilWaiting(thread);
    sleep.startLooking();
    assertThat(sleep.posted(1, true)).isZero();
    assertThat(sleep.posted(1, true)).isZero();
    sleep.announceSleepy();
    foundWork();
    thread.join();
    assertQuiet();
  }

  @Test
  void sleep_afterAPost_doesNotSleep() {
    sleep.startLooking();
    int snapshot = sleep.announceSleepy();
    sleep.posted(1, true);
    assertThat(sleep.sleep(0, snapshot, null, stats, latch -> false)).isFalse();
    foundWork();
    assertThat(stats.sleptCount()).isZero();
    assertQuiet();
  }

  @Test
  void sleep_withASetLatch_doesNotSleep() {
    var latch = new Latch(Thread.currentThread(), null);
    latch.set();
    sleep.startLooking();
    sleep.sleep(0, sleep.announceSleepy(), latch, stats, waited -> false);
    foundWork();
    assertThat(stats.sleptCount()).isZero();
    assertQuiet();
  }

  @Test
  void sleep_withMail_wakesItself() {
    sleep.startLooking();
    sleep.sleep(0, sleep.announceSleepy(), null, stats, latch -> true);
    foundWork();
    assertThat(stats.sleptCount()).isZero();
    assertQuiet();
  }

  @Test
  void sleep_whenInterrupted_keepsSleepingAndReportsIt() throws Exception {
    var interrupted = new AtomicInteger();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              sleep.startLooking();
              if (sleep.sleep(0, sleep.announceSleepy(), null, stats, latch -> false)) {
                interrupted.incrementAndGet();
              }
              foundWork();
            });
    Await.untilWaiting(thread);
    thread.interrupt();
    Await.until(() -> !thread.isInterrupted(), "the interrupt to be taken");
    assertThat(stats.wokenCount()).isZero();
    sleep.wake(0);
    thread.join();
    assertThat(interrupted).hasValue(1);
    assertQuiet();
  }

  /** One slot, one poster, one sleeper: a lost wake-up ends in a watchdog's dump. */
  @Test
  void race_ofPosterAndSleeper_losesNoPost() throws Exception {
    int jobs = 100_000;
    var slot = new AtomicInteger();
    Race.run(
        index -> {
          for (int i = 0; i < jobs; i++) {
            slot.incrementAndGet();
            sleep.posted(1, true);
          }
        },
        index -> {
          int taken = 0;
          while (taken < jobs) {
            int found = slot.getAndSet(0);
            taken += found;
            if (found == 0) {
              sleep.startLooking();
              int snapshot = sleep.announceSleepy();
              if (slot.get() == 0) {
                sleep.sleep(0, snapshot, null, stats, latch -> false);
              }
              foundWork();
            }
          }
        });
    assertQuiet();
  }
}
