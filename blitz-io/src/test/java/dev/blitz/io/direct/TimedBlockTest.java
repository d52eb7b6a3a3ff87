package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskLocal;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is called on the same thread: with a limit, again, every so often. */
@Strict
class TimedBlockTest {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration HOUR = Duration.ofHours(1);

  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(rt.stats().live()).isZero();
  }

  // --- timeout ---

  @Test
  void aBlockInTime_yieldsItsValue_andLeavesNoInterrupt() throws Exception {
    rt.run(() -> {
      Thread before = Thread.currentThread();
      int value =
          Task.timeout(
              HOUR,
              () -> {
                Task.sleep(Duration.ofMillis(1)).await();
                assertThat(Thread.currentThread()).isSameAs(before);
                return 5;
              });
      assertThat(value).isEqualTo(5);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    });
  }

  @Test
  void aBlockTooLate_isEnded_andTheTaskGoesOn() throws Exception {
    rt.run(() -> {
      assertThatThrownBy(() -> Task.timeout(SOON, () -> Task.sleep(HOUR).await()))
          .isInstanceOf(TimedOutException.class)
          .hasMessageContaining("PT0.02S")
          .hasCauseInstanceOf(CancelledException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      Task.sleep(Duration.ofMillis(1)).await();
      assertThatThrownBy(() -> Task.timeout(Duration.ZERO, () -> Task.sleep(HOUR).await()))
          .isInstanceOf(TimedOutException.class);
      Task.sleep(Duration.ofMillis(1)).await();
    });
  }

  /** The interrupt calls a selector of the user's, which waits for the block to go on. */
  @Test
  void aLimitThatPasses_callsForeignCode_withoutALockOfTheBlock() throws Exception {
    while (!limitPassesInASelector()) {
      // it passed before the block was inside, and so no other thread has called the selector
    }
  }

  /** Whether another thread than the block's called the selector. */
  private boolean limitPassesInASelector() throws Exception {
    var noticed = new CountDownLatch(1);
    var byAnother = new AtomicBoolean();
    var block = new AtomicReference<@Nullable Thread>();
    var selector =
        new ForeignSelector() {
          @Override
          public Selector wakeup() {
            goOn();
            if (Thread.currentThread() != block.get()) {
              byAnother.set(true);
              try {
                noticed.await(); // for ever, if a lock of the block is held
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
            return this;
          }
        };
    var call =
        rt.spawnBlocking(() -> {
          block.set(Thread.currentThread());
          Task.timeout(
              SOON,
              () -> {
                selector.waitInside();
                Thread.interrupted(); // swallowed; but the limit has passed
                assertThatThrownBy(() -> Task.sleep(HOUR).await())
                    .isInstanceOf(CancelledException.class);
                noticed.countDown();
              });
          assertThat(Thread.currentThread().isInterrupted()).as("taken back").isFalse();
        });
    call.await();
    selector.close();
    return byAnother.get();
  }

  @Test
  void blockingCallsOfTheJdk_areEndedToo_alsoInBlockingTasks() throws Exception {
    var never = new CountDownLatch(1);
    rt.run(() ->
        assertThatThrownBy(() -> Task.timeout(SOON, () -> never.await()))
            .isInstanceOf(TimedOutException.class)
            .hasCauseInstanceOf(InterruptedException.class));
    rt.spawnBlocking(
            () -> {
              assertThatThrownBy(() -> Task.timeout(SOON, () -> never.await()))
                  .isInstanceOf(TimedOutException.class);
              assertThatThrownBy(() -> Task.timeout(SOON, () -> Task.sleep(HOUR).await()))
                  .isInstanceOf(TimedOutException.class);
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            })
        .await();
  }

  /** Does not compile if a type is lost. */
  @Test
  void exceptions_keepTheirTypes() throws Exception {
    rt.run(() -> {
      try {
        Task.timeout(HOUR, () -> fails());
      } catch (FileNotFoundException e) {
        assertThat(e).hasMessage("gone");
      }
      try {
        Task.shielded(() -> fails());
      } catch (FileNotFoundException e) {
        assertThat(e).hasMessage("gone");
      }
      int plain = quiet();
      assertThat(plain).isEqualTo(6);
    });
  }

  private static int fails() throws FileNotFoundException {
    throw new FileNotFoundException("gone");
  }

  private static int quiet() { // nothing checked
    return Task.timeout(HOUR, () -> Task.blockInPlace(() -> 6));
  }

  @Test
  void aResultWins_howeverLate_andErrorsPass() throws Exception {
    rt.run(() -> {
      int late =
          Task.timeout(
              SOON,
              () -> {
                try {
                  Task.sleep(HOUR).await();
                } catch (CancelledException e) {
                  return 1;
                }
                return 2;
              });
      assertThat(late).isEqualTo(1);
      Task.yieldNow().await();
      assertThatThrownBy(() ->
              Task.timeout(
                  SOON,
                  () -> {
                    try {
                      Task.sleep(HOUR).await();
                    } finally {
                      throwError();
                    }
                  }))
          .isInstanceOf(AssertionError.class);
      Task.yieldNow().await();
    });
  }

  private static void throwError() {
    throw new AssertionError("mine");
  }

  @Test
  void nested_theInnerOne_leavesTheOuterAlone() throws Exception {
    rt.run(() -> {
      Task.timeout(
          HOUR,
          () -> {
            assertThatThrownBy(() -> Task.timeout(SOON, () -> Task.sleep(HOUR).await()))
                .isInstanceOf(TimedOutException.class);
            Task.sleep(Duration.ofMillis(1)).await();
          });
    });
  }

  @Test
  void nested_theOuterOne_endsBoth_alsoWhatComesAfterTheInner() throws Exception {
    rt.run(() -> {
      var after = new AtomicBoolean();
      assertThatThrownBy(() ->
              Task.timeout(
                  SOON,
                  () -> {
                    try {
                      Task.timeout(SOON, () -> Task.sleep(HOUR).await());
                    } catch (TimedOutException | CancelledException e) {
                      Task.sleep(HOUR).await(); // ends at once or with the outer limit
                      after.set(true);
                    }
                  }))
          .isInstanceOf(TimedOutException.class)
          .hasMessageContaining("PT0.02S");
      assertThat(after).isFalse();
      Task.sleep(Duration.ofMillis(1)).await();
    });
  }

  @Test
  void aShield_putsTheEndOff() throws Exception {
    rt.run(() -> {
      var whole = new AtomicBoolean();
      assertThatThrownBy(() ->
              Task.timeout(
                  SOON,
                  () -> {
                    Task.shielded(() -> {
                      Task.sleep(SOON.multipliedBy(3)).await();
                      whole.set(true);
                    });
                    Task.sleep(HOUR).await();
                  }))
          .isInstanceOf(TimedOutException.class);
      assertThat(whole).isTrue();
      Task.yieldNow().await();
    });
  }

  @Test
  void cancellation_staysCancellation() {
    var inside = new CountDownLatch(1);
    JoinHandle<Done> task =
        rt.spawn(() ->
            Task.timeout(
                HOUR,
                () -> {
                  inside.countDown();
                  Task.sleep(HOUR).await();
                }));
    Await.until(() -> inside.getCount() == 0, "the block");
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void manyLimits_neverStrikeElsewhere() throws Exception {
    rt.run(() -> {
      for (int i = 0; i < 300; i++) {
        Duration limit = Duration.ofNanos(i * 10_000L);
        try {
          Task.timeout(limit, () -> Task.sleep(Duration.ofMillis(1)).await());
        } catch (TimedOutException e) {
          // one of two
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Task.yieldNow().await();
      }
    });
  }

  @Test
  void insideAPoll_itIsRefused() {
    assertThatThrownBy(() -> rt.run(Futures.lazy(() -> Task.timeout(HOUR, () -> 1))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside a poll");
    assertThatThrownBy(() -> Task.timeout(HOUR, () -> 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
  }

  // --- handles ---

  @Test
  void aHandlesTimeout_cancelsTheTask_stopWaitingDoesNot() throws Exception {
    var dropped = new AtomicBoolean();
    var task = rt.spawn(Futures.<Done>pending().whenDone(() -> dropped.set(true)));
    rt.run(() -> {
      assertThatThrownBy(() -> task.stopWaitingAfter(SOON).await())
          .isInstanceOf(TimedOutException.class);
      assertThat(task.isDone()).isFalse();
      assertThatThrownBy(() -> task.timeout(SOON).await()).isInstanceOf(TimedOutException.class);
    });
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(dropped).isTrue();
  }

  @Test
  void aSleepAwaitedTwice_saysSo() throws Exception {
    rt.run(() -> {
      for (Duration d : new Duration[] {Duration.ZERO, Duration.ofMillis(1)}) {
        var sleep = Task.sleep(d);
        sleep.await();
        assertThatThrownBy(sleep::await)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a sleep was already awaited or dropped; make a new one");
      }
    });
  }

  // --- retry and every ---

  @Test
  void retry_untilItWorks_orTheLimit() throws Exception {
    rt.run(() -> {
      var tries = new AtomicInteger();
      var backoff = Backoff.fixed(Duration.ofMillis(1)).limit(2);
      assertThat(Task.retry(backoff, () -> tries.incrementAndGet() < 3 ? flaky() : "ok"))
          .isEqualTo("ok");
      assertThatThrownBy(() -> Task.retry(backoff, TimedBlockTest::flaky)).hasMessage("flaky");
      tries.set(0);
      assertThatThrownBy(() ->
              Task.retry(
                  backoff,
                  () -> {
                    tries.incrementAndGet();
                    throw new CancelledException("enough");
                  }))
          .isInstanceOf(CancelledException.class);
      assertThat(tries).hasValue(1);
      assertThatThrownBy(() ->
              Task.timeout(SOON, () -> Task.retry(Backoff.fixed(HOUR), TimedBlockTest::flaky)))
          .isInstanceOf(TimedOutException.class);
    });
  }

  private static String flaky() throws IOException {
    throw new IOException("flaky");
  }

  @Test
  void every_callsUntilItThrows() throws Exception {
    rt.run(() -> {
      var calls = new AtomicInteger();
      assertThatThrownBy(() ->
              Task.every(
                  Duration.ofMillis(1),
                  () -> {
                    if (calls.incrementAndGet() == 5) {
                      throw new IOException("five");
                    }
                  }))
          .hasMessage("five");
    });
  }

  @Test
  void taskLocal_voidForm() {
    TaskLocal<String> local = TaskLocal.of("who");
    local.run("me", () -> assertThat(local.get()).isEqualTo("me"));
    assertThat(local.isBound()).isFalse();
  }
}
