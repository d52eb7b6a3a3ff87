package dev.blitz.io.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.SpawnHook;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A scope never loses the reason: what a child threw arrives, and nothing is cancelled silently.
 */
@Strict
class ScopeReasonTest {
  private final List<String> uncaught = new CopyOnWriteArrayList<>();
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(2)
          .uncaughtHandler((what, t) -> uncaught.add(String.valueOf(t.getMessage())))
          .build();

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(uncaught).isEmpty();
  }

  private static void assertHasReason(Throwable e) {
    assertThat(e).isInstanceOf(CancelledException.class);
    assertThat(e.getCause()).isInstanceOf(TaskFailedException.class).hasMessageContaining("boom");
    assertThat(e.getCause().getCause()).isInstanceOf(IOException.class).hasMessage("boom");
  }

  @Test
  void aGuardedWait_isToldWhichChildFailed() {
    assertThatThrownBy(
            () -> {
              try (TaskScope scope = TaskScope.open(rt)) {
                Oneshot<Integer> gate = Oneshot.create();
                scope.spawn(() -> {
                  gate.receive().await();
                  throw new IOException("boom");
                });
                gate.send(1);
                scope.token().guard(Futures.pending()).await();
              }
            })
        .satisfies(ScopeReasonTest::assertHasReason);
  }

  @Test
  void aGuardBelowTheScopesToken_andACheck_areTold() {
    try (TaskScope scope = TaskScope.open(rt)) {
      scope.spawn(Futures.failed(new IOException("boom")));
      Await.until(() -> scope.token().isCancelled(), "the cancellation");
      assertThatThrownBy(() -> scope.token().child().guard(Futures.pending()).await())
          .satisfies(ScopeReasonTest::assertHasReason);
      assertThatThrownBy(scope.token()::throwIfCancelled)
          .satisfies(ScopeReasonTest::assertHasReason);
      assertThatThrownBy(scope::join).isInstanceOf(TaskFailedException.class);
    }
  }

  @Test
  void aSpawn_isToldWhichChildFailed() {
    try (TaskScope scope = TaskScope.open(rt)) {
      scope.spawn(Futures.failed(new IOException("boom")));
      Await.until(scope::isCancelled, "the cancellation");
      assertThatThrownBy(() -> scope.spawn(Futures.ready(1)))
          .satisfies(ScopeReasonTest::assertHasReason);
      assertThatThrownBy(scope::join).isInstanceOf(TaskFailedException.class);
    }
  }

  @Test
  void aScopeThatWasCancelled_hasNoReason() {
    try (TaskScope scope = TaskScope.open(rt)) {
      scope.cancel();
      assertThatThrownBy(() -> scope.spawn(Futures.ready(1)))
          .isInstanceOf(CancelledException.class)
          .hasNoCause();
    }
  }

  @Test
  void within_aBodyThatIsCancelledByItsOwnGuard_throwsTheChildsFailure() {
    assertThatThrownBy(() ->
            rt.run(
                TaskScope.within(scope -> {
                  scope.spawn(Futures.failed(new IOException("boom")));
                  return Futures.loop(() -> {
                    scope.token().throwIfCancelled();
                    return Task.yieldNow().andThen(d -> Futures.more());
                  });
                })))
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("boom");
  }

  @Test
  void theWaitForASibling_showsTheFailureBesideIt() {
    assertThatThrownBy(
            () -> {
              try (TaskScope scope = TaskScope.open(rt)) {
                JoinHandle<Integer> waits = scope.spawn(Futures.pending());
                scope.spawn(Futures.failed(new IOException("boom")));
                waits.await();
              }
            })
        .isInstanceOf(CancelledException.class)
        .satisfies(e ->
            assertThat(e.getSuppressed())
                .singleElement()
                .isInstanceOf(TaskFailedException.class)
                .satisfies(t -> assertThat(t).hasMessageContaining("boom")));
  }

  // --- Closing without a join ---

  @Test
  void close_throwsAFailureThatNobodyHasSeen_once() {
    TaskScope scope = TaskScope.open(rt);
    scope.spawn(Futures.failed(new IOException("boom")));
    Await.until(() -> scope.running() == 0, "the end of the child");
    assertThatThrownBy(scope::close)
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("boom");
    assertThatCode(scope::close).doesNotThrowAnyException();
  }

  @Test
  void close_isSilentAboutAFailureThatTheBlockHasSeen() {
    assertThatCode(
            () -> {
              try (TaskScope scope = TaskScope.open(rt)) {
                JoinHandle<Integer> child = scope.spawn(Futures.failed(new IOException("boom")));
                assertThatThrownBy(child::await).hasMessageContaining("boom");
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void close_ofChildrenThatNobodyWaitedFor_throwsAfterTheirEnd() {
    TaskScope scope = TaskScope.open(rt);
    JoinHandle<Done> forgotten = scope.spawn(Futures.pending());
    assertThatThrownBy(scope::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without join()")
        .hasMessageContaining("1 children");
    assertThat(forgotten.isDone()).isTrue();
    TaskScope collecting = TaskScope.open(rt, ScopePolicy.collect());
    collecting.spawn(() -> Futures.pending().await());
    assertThatThrownBy(collecting::close).hasMessageContaining("without join()");
  }

  @Test
  void close_isSilent_afterACancel_afterAJoin_andForResultsThatWereTaken() {
    assertThatCode(
            () -> {
              try (TaskScope scope = TaskScope.open(rt)) {
                scope.spawn(Futures.pending());
                scope.cancel();
              }
              try (TaskScope scope = TaskScope.open(rt)) {
                scope.spawn(Futures.ready(1));
                scope.join();
              }
              try (TaskScope scope = TaskScope.open(rt)) {
                JoinHandle<Integer> one = scope.spawn(Futures.ready(1));
                assertThat(one.await()).isEqualTo(1);
                Await.until(() -> scope.running() == 0, "the end of the child");
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void close_inATaskThatIsCancelled_isSilentAboutItsChildren() throws Exception {
    var begun = new CountDownLatch(1);
    var seen = new CopyOnWriteArrayList<Throwable>();
    JoinHandle<Done> task =
        rt.spawn(() -> {
          try (TaskScope scope = TaskScope.open()) {
            scope.spawn(Futures.pending());
            begun.countDown();
            Futures.pending().await();
          } catch (CancelledException e) {
            seen.add(e);
            throw e;
          }
        });
    begun.await();
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(seen).singleElement().satisfies(e -> assertThat(e).hasNoSuppressedExceptions());
  }

  // --- Joining with a limit ---

  /**
   * A hook that holds up the alarm, which is the second task, once its time has come: at its second
   * poll.
   */
  private static final class SlowAlarm implements SpawnHook {
    private final AtomicInteger spawned = new AtomicInteger();
    private final AtomicInteger alarmPolls = new AtomicInteger();
    private final CountDownLatch set = new CountDownLatch(1);
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public Object capture() {
      return spawned.incrementAndGet();
    }

    @Override
    public Scope restore(Object captured) {
      if (captured.equals(2) && alarmPolls.incrementAndGet() == 2) {
        held.countDown();
        try {
          go.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return () -> {
        if (captured.equals(2)) {
          set.countDown(); // its first poll is over
        }
      };
    }
  }

  @Test
  void theAlarmOfAJoinThatHasReturned_leavesLaterChildrenAlone() throws Exception {
    var hook = new SlowAlarm();
    var clock = new ManualTimeSource(false);
    BlitzRuntime slow = BlitzRuntime.builder().workers(2).spawnHook(hook).clock(clock).build();
    try (slow;
        TaskScope scope = TaskScope.open(slow)) {
      Oneshot<Integer> gate = Oneshot.create();
      Thread joiner =
          Thread.ofPlatform()
              .start(() -> {
                scope.spawn(gate.receive());
                try {
                  scope.join(Duration.ofMillis(100));
                } catch (TimedOutException e) {
                  throw new AssertionError(e);
                }
              });
      hook.set.await(); // an alarm whose time has come before would not wait
      clock.advance(Duration.ofMillis(101));
      hook.held.await(); // the alarm's time has come, but it has not acted yet
      gate.send(1);
      joiner.join();
      JoinHandle<Done> later = scope.spawn(Futures.pending());
      hook.go.countDown();
      Await.until(() -> slow.stats().live() == 1, "the end of the alarm");
      assertThat(scope.isCancelled()).isFalse();
      assertThat(later.isDone()).isFalse();
      scope.cancel();
    }
  }
}
