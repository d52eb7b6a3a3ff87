package dev.blitz.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The leak check sees to it that no racer is left. */
@Strict
class RaceTest {

  @Test
  void run_runsEveryIndexOnAThreadOfItsOwn() throws Exception {
    Set<Integer> indexes = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var allRunning = new CyclicBarrier(4);

    Race.run(
        4,
        index -> {
          indexes.add(index);
          threads.add(Thread.currentThread());
          allRunning.await();
        });

    assertThat(indexes).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(threads).hasSize(4).doesNotContain(Thread.currentThread());
  }

  @Test
  void run_runsDifferentBodies() throws Exception {
    var left = new AtomicInteger();
    var right = new AtomicInteger();

    Race.run(index -> left.set(index + 10), index -> right.set(index + 10));

    assertThat(left).hasValue(10);
    assertThat(right).hasValue(11);
  }

  @Test
  void failure_isRethrown_withLaterOnesSuppressed() {
    var firstFailed = new CountDownLatch(1);
    var first = new IOException("first");

    assertThatThrownBy(() ->
            Race.run(
                index -> {
                  try {
                    throw first;
                  } finally {
                    firstFailed.countDown();
                  }
                },
                index -> {
                  firstFailed.await();
                  Await.until(
                      () -> Arrays.stream(allThreadNames()).noneMatch("racer-0"::equals),
                      "the end of the first racer");
                  throw new AssertionError("second");
                }))
        .isSameAs(first)
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .singleElement()
                .extracting(Throwable::getMessage)
                .isEqualTo("second"));
  }

  private static String[] allThreadNames() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toArray(String[]::new);
  }

  @Test
  void racerThatDoesNotEnd_isNamedWithItsStack_andInterrupted() {
    var never = new CountDownLatch(1);

    assertThatThrownBy(() ->
            Race.run(
                2,
                index -> {
                  if (index == 1) {
                    never.await();
                  }
                },
                Duration.ofMillis(50)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("racers still running after PT0.05S")
        .hasMessageContaining("racer-1 WAITING")
        .hasMessageContaining("CountDownLatch.await");
  }

  @Test
  void interruptOfTheCaller_endsTheRace() {
    var never = new CountDownLatch(1);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Race.run(2, index -> never.await()))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void emptyRace_isRefused() {
    assertThatThrownBy(() -> Race.run()).isInstanceOf(IllegalArgumentException.class);
  }
}
