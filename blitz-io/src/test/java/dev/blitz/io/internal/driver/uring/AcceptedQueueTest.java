package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
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
    TestBackends.assumeNative();
    // The leak check of the class sees a descriptor that stays open.
    var queue = new AcceptedQueue();
    queue.add(WorkerRing.newCounter());
    queue.close();
    queue.add(WorkerRing.newCounter());
    assertThat(queue.poll()).isEqualTo(-1);
  }

  /** A queue that finds no memory when it must grow. */
  private static final class NoMemory extends AcceptedQueue {
    @Override
    int[] larger(int length) {
      throw new OutOfMemoryError("made for this test");
    }
  }

  @Test
  void aConnection_forWhichThereIsNoMemory_isClosed_andTheOthersStay() {
    TestBackends.assumeNative();
    var queue = new NoMemory();
    int kept = 0;
    for (int i = 0; i < 8; i++) {
      int number = WorkerRing.newCounter();
      int waiting = queue.add(number);
      assertThat(isOpen(number)).as("connection %d", i).isEqualTo(waiting > kept);
      kept = waiting;
    }
    assertThat(kept).isBetween(1, 7);
    queue.close(); // the leak check of the class sees one that stays open
  }

  private static boolean isOpen(int number) {
    return Files.exists(Path.of("/proc/self/fd/" + number), LinkOption.NOFOLLOW_LINKS);
  }
}
