package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.task.FakeSchedule;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

@Strict
class RuntimeEndTest {
  private static final CloseReport SO_FAR = new CloseReport(false, List.of("so far"), List.of());
  private static final long PATIENCE_NANOS = 20_000_000;

  private final AtomicInteger runs = new AtomicInteger();

  private RuntimeEnd end(Consumer<Thread> starter, RuntimeEnd.Work work) {
    return end(starter, work, () -> SO_FAR);
  }

  private RuntimeEnd end(
      Consumer<Thread> starter, RuntimeEnd.Work work, Supplier<CloseReport> soFar) {
    return new RuntimeEnd(
        new FakeSchedule().home(),
        "end-of-test",
        Machine.startingBy(starter),
        deadline -> {
          runs.incrementAndGet();
          return work.run(deadline);
        },
        soFar,
        PATIENCE_NANOS);
  }

  @Test
  void theWorkIsDoneOnce_andEachGetsItsReport() throws Exception {
    for (int round = 0; round < 100; round++) {
      runs.set(0);
      RuntimeEnd end = end(Thread::start, d -> CloseReport.CLEAN);
      Race.run(3, i -> assertThat(end.await(1_000_000_000)).isSameAs(CloseReport.CLEAN));
      assertThat(end.await(0)).isSameAs(CloseReport.CLEAN);
      assertThat(runs).hasValue(1);
    }
  }

  /** A handler or a drop that never returns. */
  @Test
  void workThatNeverReturns_doesNotHoldThoseWhoWait() throws Exception {
    var release = new CountDownLatch(1);
    RuntimeEnd end =
        end(
            Thread::start,
            d -> {
              try {
                release.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return CloseReport.CLEAN;
            });
    assertThat(end.await(1_000_000)).isSameAs(SO_FAR);
    assertThat(end.await(0)).isSameAs(SO_FAR);
    release.countDown();
    Await.until(() -> end.await(0) == CloseReport.CLEAN, "the end");
  }

  @Test
  void noThreadToBeHad_theCallerDoesIt() {
    RuntimeEnd end =
        end(
            t -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            d -> CloseReport.CLEAN);
    assertThat(end.await(0)).isSameAs(CloseReport.CLEAN);
  }

  @Test
  void noThreadToBeHad_theCallersHandlerClosesAgain_isRefused() {
    var itself = new RuntimeEnd[1];
    RuntimeEnd end =
        end(
            t -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            d -> {
              assertThatThrownBy(() -> itself[0].await(0))
                  .isInstanceOf(IllegalStateException.class);
              return CloseReport.CLEAN;
            });
    itself[0] = end;
    assertThat(end.await(0)).isSameAs(CloseReport.CLEAN);
    assertThat(runs).hasValue(1);
  }

  @Test
  void workThatFails_isTold_andReportsWhatIsLeft() {
    RuntimeEnd end =
        end(
            Thread::start,
            d -> {
              throw new IllegalStateException("broken");
            });
    assertThat(end.await(1_000_000_000)).isSameAs(SO_FAR);
  }

  /** As without memory, which a description of what is left takes too. */
  @Test
  void workThatFails_andCannotBeDescribed_isOverForAllWhoWait() {
    RuntimeEnd end =
        end(
            Thread::start,
            d -> {
              throw new InternalError("broken");
            },
            () -> {
              throw new InternalError("nor can it be described");
            });
    CloseReport report = end.await(Timeouts.LONG.toNanos());
    assertThat(report.clean()).isFalse();
    assertThat(end.await(0)).as("nothing is to come").isSameAs(report);
  }
}
