package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.Strict;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The three ways in which an async program ends a computation; the libraries know no more. */
@Strict
class CancelledLoopTest {
  private static final int ENDLESS = Integer.MAX_VALUE;

  private final CountDownLatch running = new CountDownLatch(1);

  private void step(int index) {
    running.countDown();
    Thread.onSpinWait();
  }

  /** Cancelling a direct task interrupts it, and a loop ends when its caller is interrupted. */
  @Test
  void cancel_ofATaskThatSitsInALoop_endsTheLoop() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build();
        var pool = Pool.of(2)) {
      var loopEnded = new AtomicBoolean();
      var task =
          runtime.spawn(() -> {
            try {
              pool.parallelFor(0, ENDLESS, LoopOptions.DEFAULT, this::step);
            } finally {
              loopEnded.set(true);
            }
          });
      running.await();
      task.cancel();
      assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
      assertThat(loopEnded).isTrue();
    }
  }

  /** A loop asks any supplier between blocks: that of a token of blitz-io, too. */
  @Test
  void token_ofBlitzIo_stopsALoop() throws Exception {
    CancelToken request = CancelToken.create().child();
    try (var runtime = BlitzRuntime.builder().workers(1).build();
        var pool = Pool.of(2)) {
      var options = LoopOptions.DEFAULT.stopWhen(request::isCancelled);
      var task =
          runtime.spawnBlocking(() -> {
            pool.parallelFor(0, ENDLESS, options, this::step);
            return "ran to its end";
          });
      running.await();
      request.cancel();
      // Nobody cancelled the task itself: what it ran was.
      assertThatThrownBy(task::await).hasCauseInstanceOf(CancellationException.class);
    }
  }

  /** For jobs that hold a token of blitz-parallel: the one cancels the other. */
  @Test
  void token_ofBlitzIo_cancelsATokenOfBlitzParallel() throws Exception {
    CancelToken request = CancelToken.create();
    var computation = dev.blitz.parallel.CancelToken.create();
    try (var runtime = BlitzRuntime.builder().workers(1).build();
        var pool = Pool.of(2)) {
      var task =
          runtime.spawnBlocking(() -> {
            try (var _ = request.onCancel(computation::cancel)) {
              pool.run(() ->
                  Parallel.scope(scope ->
                      scope.spawn(() -> {
                        while (!computation.isCancelled()) {
                          step(0);
                        }
                      })));
              return "ended early";
            }
          });
      running.await();
      request.cancel();
      assertThat(task.await()).isEqualTo("ended early");
    }
  }
}
