package dev.blitz.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.test.BlitzTest;
import dev.blitz.test.PausedClock;
import dev.blitz.test.TestRuntime;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** docs/guide/testing-your-code.md; its tests run, too. */
@Strict
class GuideOnTestingTest {
  @org.junit.jupiter.api.Nested
  class NapTest {
    @BlitzTest
    void napsForFiveMinutes(TestRuntime rt) {
      JoinHandle<Done> nap = rt.spawn(Task.sleep(Duration.ofMinutes(5)));
      rt.advance(Duration.ofMinutes(4));
      assertThat(nap.isDone()).isFalse();
      rt.advance(Duration.ofMinutes(1));
      assertThat(nap.isDone()).isTrue();
    }
  }

  /** docs/guide/testing.md. */
  @SuppressWarnings("ClassCanBeStatic") // only to be compiled
  abstract static class InThisRepository {
    record LocalRunQueue(int capacity) {
      boolean isEmpty() {
        return capacity == 0;
      }
    }

    static void popAll(LocalRunQueue queue, SplittableRandom random) {
      assertThat(random.nextInt(queue.capacity())).isNotNegative();
    }

    static void stealAll(LocalRunQueue queue, SplittableRandom random) {
      assertThat(random.nextInt(queue.capacity())).isNotNegative();
    }

    @Strict
    class LocalRunQueueTest {

      @Test
      void steal_whenOwnerPops_takesDisjointTasks(TestSeed seed) throws Exception {
        var queue = new LocalRunQueue(4);
        Race.run(
            owner -> popAll(queue, seed.derive(owner).random()),
            thief -> stealAll(queue, seed.derive(thief).random()));
        Await.until(queue::isEmpty, "an empty queue");
      }
    }
  }

  @Test
  void withoutJunit() throws Exception {
    try (TestRuntime rt = TestRuntime.create()) {
      String late = rt.run(Task.sleep(Duration.ofHours(8)).map(done -> "morning"));
      assertThat(late).isEqualTo("morning");
    }
  }

  @Test
  void clockAlone() {
    PausedClock clock = new PausedClock();
    try (BlitzRuntime runtime =
        BlitzRuntime.builder().workers(2).clock(clock.timeSource()).build()) {
      JoinHandle<Done> nap = runtime.spawn(Task.sleep(Duration.ofHours(1)));
      clock.advance(Duration.ofHours(1));
      nap.await();
    }
  }
}
