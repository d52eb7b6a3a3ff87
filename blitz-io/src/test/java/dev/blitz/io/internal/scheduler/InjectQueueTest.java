package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.task.FakeSchedule;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
@OnceIsEnough
class InjectQueueTest {
  private final FakeSchedule schedule = new FakeSchedule();
  private final InjectQueue queue = new InjectQueue();
  private final LocalRunQueue<QueueItem> ring = new LocalRunQueue<>(256);

  private TaskCell<?> task(long id) {
    return new TaskCell<Object>(schedule, Futures.pending(), new TaskExtras(Long.toString(id)));
  }

  private void push(int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(queue.push(task(i))).isTrue();
    }
  }

  private static long id(@Nullable QueueItem task) {
    return task == null ? -1 : Long.parseLong(((TaskCell<?>) task).name());
  }

  private List<Long> drainRing() {
    List<Long> ids = new ArrayList<>();
    for (QueueItem t = ring.pop(); t != null; t = ring.pop()) {
      ids.add(id(t));
    }
    return ids;
  }

  @Test
  void tasksComeOutInTheirOrder() {
    push(0, 5);
    for (int i = 0; i < 5; i++) {
      assertThat(queue.length()).isEqualTo(5 - i);
      QueueItem task = queue.pop();
      assertThat(id(task)).isEqualTo(i);
    }
    assertThat(queue.pop()).isNull();
    assertThat(queue.length()).isZero();
    push(5, 6);
    assertThat(id(queue.pop())).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 9, 10, 11, 64})
  void popInto_returnsTheFirst_andPutsTheRestIntoTheRing(int max) {
    push(0, 10);
    assertThat(id(queue.popInto(ring, max))).isZero();
    int taken = Math.min(max, 10);
    assertThat(queue.length()).isEqualTo(10 - taken);
    List<Long> rest = drainRing();
    assertThat(rest).hasSize(taken - 1);
    for (int i = 1; i < taken; i++) {
      assertThat(rest.get(i - 1)).isEqualTo(i);
    }
    for (int i = taken; i < 10; i++) {
      assertThat(id(queue.pop())).isEqualTo(i);
    }
    assertThat(queue.popInto(ring, max)).isNull();
    push(20, 21);
    assertThat(id(queue.popInto(ring, max))).isEqualTo(20);
  }

  @Test
  void overflow_takesABatchInItsOrder_behindWhatIsThere() {
    push(0, 2);
    List<@Nullable QueueItem> batch = List.of(task(10), task(11), task(12), task(13));
    queue.overflow(batch, 3);
    assertThat(queue.length()).isEqualTo(5);
    List<Long> ids = new ArrayList<>();
    for (QueueItem t = queue.pop(); t != null; t = queue.pop()) {
      ids.add(id(t));
    }
    assertThat(ids).containsExactly(0L, 1L, 10L, 11L, 12L);
  }

  @Test
  void close_refusesNewTasks_andKeepsTheOld() {
    push(0, 1);
    queue.close();
    QueueItem late = task(1);
    assertThat(queue.push(late)).isFalse();
    assertThat(queue.length()).isEqualTo(1);
    assertThat(id(queue.pop())).isZero();
    queue.close();
    assertThat(queue.pop()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void smallSegments_keepOrderAndLength_andCloseWhereverTheyEnd(int segment) {
    for (int count = 0; count <= 2 * segment + 1; count++) {
      var small = new InjectQueue(segment);
      for (int i = 0; i < count; i++) {
        assertThat(small.push(task(i))).isTrue();
        assertThat(small.length()).isEqualTo(i + 1);
      }
      assertThat(small.isClosed()).isFalse();
      small.close();
      assertThat(small.isClosed()).isTrue();
      assertThat(small.push(task(count))).isFalse();
      assertThat(small.length()).isEqualTo(count);
      List<Long> ids = new ArrayList<>();
      for (QueueItem t = small.popInto(ring, 3); t != null; t = small.popInto(ring, 3)) {
        ids.add(id(t));
        ids.addAll(drainRing());
        assertThat(small.length()).isEqualTo(count - ids.size());
      }
      assertThat(ids).hasSize(count).isSorted();
      assertThat(small.pop()).isNull();
    }
  }

  @Test
  void producersAndConsumers_loseNothing_andEachProducersOrderIsKept() throws Exception {
    int perProducer = 10_000;
    var seen = new ConcurrentLinkedQueue<Long>();
    var left = new AtomicInteger(2 * perProducer);
    Race.run(
        4,
        index -> {
          if (index < 2) {
            for (int i = 0; i < perProducer; i++) {
              assertThat(queue.push(task(index * 1_000_000L + i))).isTrue();
            }
            return;
          }
          var own = new LocalRunQueue<QueueItem>(64);
          List<Long> mine = new ArrayList<>();
          while (left.get() > 0) {
            QueueItem first = queue.popInto(own, 8);
            int before = mine.size();
            if (first != null) {
              mine.add(id(first));
            }
            for (QueueItem t = own.pop(); t != null; t = own.pop()) {
              mine.add(id(t));
            }
            left.addAndGet(before - mine.size());
          }
          for (int p = 0; p < 2; p++) {
            long producer = p;
            assertThat(mine.stream().filter(id -> id / 1_000_000 == producer)).isSorted();
          }
          seen.addAll(mine);
        });
    Set<Long> distinct = new HashSet<>(seen);
    assertThat(seen).hasSize(2 * perProducer);
    assertThat(distinct).hasSize(2 * perProducer);
    assertThat(queue.length()).isZero();
  }

  @Test
  void closeRacingPushes_everyTaskIsEitherQueuedOrRefused() throws Exception {
    for (int round = 0; round < 50; round++) {
      var closing = new InjectQueue(4);
      var accepted = new AtomicInteger();
      Race.run(
          3,
          index -> {
            if (index == 0) {
              closing.close();
            } else {
              for (int i = 0; i < 20; i++) {
                if (closing.push(task(i))) {
                  accepted.incrementAndGet();
                }
              }
            }
          });
      assertThat(closing.length()).isEqualTo(accepted.get());
    }
  }
}
