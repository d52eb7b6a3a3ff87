package dev.blitz.io.internal.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A task that wants a shield while another one is in the middle of interrupting it. */
@Strict
@TimeLimit(30)
@SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
class ShieldWaitTest {

  /** The canceller waits for the worker that the task would spin on. */
  @Test
  void entering_letsTheInterrupterGoOn_alsoOnTheOnlyWorker() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var interrupting = new AtomicBoolean();
      var clean = new AtomicReference<Boolean>();
      var task =
          runtime.spawn(() -> {
            while (!interrupting.get()) {
              Thread.yield();
            }
            Task.shielded(() -> clean.set(!Thread.currentThread().isInterrupted()));
            Task.yieldNow().await(); // finds the cancellation
          });
      var cell = (TaskCell<?>) task;
      var canceller =
          runtime.spawn(() -> {
            while (!cell.hasBegun()) {
              Thread.yield();
            }
            assertThat(cell.cancelTransition()).isEqualTo(TaskState.CancelRequest.INTERRUPT);
            interrupting.set(true);
            Thread.yield(); // the task runs, and wants its shield
            cell.endInterrupting();
          });
      canceller.await();
      assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
      assertThat(clean.get()).isTrue();
    }
  }
}
