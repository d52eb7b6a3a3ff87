package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class AcceptedQueueTest {

  @Test
  void numbers_comeOutInOrder_alsoAfterGrowing() {
    var queue = new AcceptedQueue();
    int next = 100;
    int expected = 100;
    for (int round = 1; round < 40; round++) {
      for (int i = 0; i < round; i++) {
        queue.add(next++);
      }
      for (int i = 0; i < round - (round % 3 == 0 ? 1 : 0); i++) {
        assertThat(queue.poll()).isEqualTo(expected++);
      }
    }
    while (expected < next) {
      assertThat(queue.poll()).isEqualTo(expected++);
    }
    assertThat(queue.poll()).isEqualTo(-1);
  }

  @Test
  void failure_isToldOnce() {
    var queue = new AcceptedQueue();
    queue.fail(24);
    assertThat(queue.takeFailure()).isEqualTo(24);
    assertThat(queue.takeFailure()).isZero();
  }

  @Test
  void close_closesWhatWaits_andWhatComesLater() {
    // The leak check of the class sees a descriptor that stays open.
    var queue = new AcceptedQueue();
    queue.add(WorkerRing.newCounter());
    queue.close();
    queue.add(WorkerRing.newCounter());
    assertThat(queue.poll()).isEqualTo(-1);
  }
}
