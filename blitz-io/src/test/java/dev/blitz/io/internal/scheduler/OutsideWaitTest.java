package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Strict;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a task from outside waits for a worker that always has others. */
@Strict
class OutsideWaitTest {
  /** Enough for the worker to find out that polls are short. */
  private static final int SHORT_POLLS = 30_000;

  private static final long LONG_POLL_NANOS = 2_000_000;

  /** The polls until a round sees that they have become long, and the last one. */
  private static final int MOST_LONG_POLLS = SchedulerTuning.POLLS_PER_CLOCK + 1;

  /** The turn may come anywhere between two looks at the inject queue, and within a round. */
  @ParameterizedTest
  @ValueSource(ints = {0, 37, 74, 111, 148, 185, 222, 259})
  void aTaskFromOutside_whenPollsTurnLong_waitsForFewOfThem(int offset) {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var turning = new Turning(runtime, SHORT_POLLS + offset);
      runtime.spawn(turning).await();
      assertThat(turning.longPolls).isBetween(1, MOST_LONG_POLLS);
    }
  }

  /** Polled again and again, first short, then long until a task from outside has run. */
  private static final class Turning implements Future<Done> {
    private final BlitzRuntime runtime;
    private int shortPolls;
    private int longPolls;
    private @Nullable JoinHandle<Done> fromOutside;

    Turning(BlitzRuntime runtime, int shortPolls) {
      this.runtime = runtime;
      this.shortPolls = shortPolls;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      if (--shortPolls < 0) {
        if (fromOutside == null) {
          var outside = new Thread(() -> fromOutside = runtime.spawn(Futures.ready(Done.DONE)));
          outside.start();
          outside.join();
        }
        if (fromOutside.isDone()) {
          return Done.DONE;
        }
        longPolls++;
        long end = System.nanoTime() + LONG_POLL_NANOS;
        while (System.nanoTime() - end < 0) {
          Thread.onSpinWait();
        }
      }
      cx.waker().wake();
      return null;
    }
  }
}
