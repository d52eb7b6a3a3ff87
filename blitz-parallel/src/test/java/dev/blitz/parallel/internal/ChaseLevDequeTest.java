package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class ChaseLevDequeTest {
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3, -2, Integer.MAX_VALUE - 2})
  void pop_isLifo_andStealIsFifo_acrossIndexWrap(long firstIndex) {
    var deque = new ChaseLevDeque<Integer>(2, firstIndex);
    assertThat(deque.push(1)).isTrue();
    for (int i = 2; i <= 10; i++) {
      assertThat(deque.push(i)).isFalse();
    }
    assertThat(deque.pop()).isEqualTo(10);
    assertThat(deque.steal()).isEqualTo(1);
    assertThat(deque.steal()).isEqualTo(2);
    assertThat(deque.pop()).isEqualTo(9);
    for (int i = 8; i >= 3; i--) {
      assertThat(deque.pop()).isEqualTo(i);
    }
    assertThat(deque.pop()).isNull();
    assertThat(deque.steal()).isNull();
    assertThat(deque.isEmpty()).isTrue();
    assertThat(deque.push(11)).isTrue();
    assertThat(deque.steal()).isEqualTo(11);
  }

  @Test
  void clearGarbage_keepsWhatIsThere() {
    var deque = new ChaseLevDeque<Integer>(4, 0);
    deque.push(1);
    deque.push(2);
    assertThat(deque.steal()).isEqualTo(1);
    deque.clearGarbage();
    assertThat(deque.pop()).isEqualTo(2);
    deque.clearGarbage();
    deque.push(3);
    assertThat(deque.pop()).isEqualTo(3);
  }

  @Test
  void clearGarbage_ofAnEmptyDequeThatHasGrown_shrinksIt() {
    var deque = new ChaseLevDeque<Integer>(4, 0);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 1000; i++) {
        deque.push(i);
      }
      assertThat(deque.slots).hasSize(1024);
      deque.clearGarbage();
      assertThat(deque.slots).hasSize(1024);
      for (int i = 0; i < 500; i++) {
        assertThat(deque.steal()).isEqualTo(i);
        assertThat(deque.pop()).isEqualTo(999 - i);
      }
      deque.clearGarbage();
      assertThat(deque.slots).hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 3, -5})
  void clearGarbage_forgetsStolenElementsOnly(long firstIndex) {
    var deque = new ChaseLevDeque<Integer>(8, firstIndex);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 8; i++) {
        deque.push(i);
      }
      for (int i = 0; i < 5; i++) {
        assertThat(deque.steal()).isEqualTo(i);
      }
      deque.clearGarbage();
      assertThat(deque.slots).containsOnlyOnce(5, 6, 7);
      assertThat(java.util.Arrays.stream(deque.slots).filter(java.util.Objects::isNull)).hasSize(5);
      for (int i = 5; i < 8; i++) {
        assertThat(deque.steal()).isEqualTo(i);
      }
      deque.clearGarbage();
      assertThat(deque.slots).containsOnlyNulls();
    }
  }

  @Test
  void stealIf_takesOnlyAnOldestThatPasses() {
    var deque = new ChaseLevDeque<Integer>(8, 0);
    deque.push(1);
    deque.push(2);
    assertThat(deque.<Integer>stealIf(Integer::equals, 2)).isNull();
    assertThat(deque.<Integer>stealIf(Integer::equals, 1)).isEqualTo(1);
    assertThat(deque.<Integer>stealIf(Integer::equals, 2)).isEqualTo(2);
    assertThat(deque.<Integer>stealIf(Integer::equals, 2)).isNull();
  }

  @Test
  void capacity_mustBeAPowerOfTwo() {
    assertThatThrownBy(() -> new ChaseLevDeque<Integer>(3, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 1000})
  void race_ofOwnerAndThieves_takesEachElementOnce(long firstIndex, TestSeed seed)
      throws Exception {
    int elements = 200_000;
    var deque = new ChaseLevDeque<Integer>(2, firstIndex);
    var taken = new AtomicIntegerArray(elements);
    var done = new AtomicBoolean();
    Race.run(
        index -> {
          var random = seed.random();
          for (int i = 0; i < elements; ) {
            // Bursts, so that the deque grows while it is stolen from and runs empty in between.
            int burst = Math.min(random.nextInt(1, 40), elements - i);
            for (int k = 0; k < burst; k++) {
              deque.push(i++);
            }
            int pops = random.nextInt(0, 40);
            for (int k = 0; k < pops; k++) {
              take(deque.pop(), taken);
            }
          }
          while (!deque.isEmpty()) {
            take(deque.pop(), taken);
          }
          done.set(true);
        },
        index -> steal(deque, taken, done),
        index -> steal(deque, taken, done));
    for (int i = 0; i < elements; i++) {
      assertThat(taken.get(i)).as("element %d", i).isEqualTo(1);
    }
  }

  private static void steal(
      ChaseLevDeque<Integer> deque, AtomicIntegerArray taken, AtomicBoolean done) {
    while (!done.get()) {
      take(deque.steal(), taken);
    }
  }

  private static void take(
      @org.jspecify.annotations.Nullable Integer element, AtomicIntegerArray taken) {
    if (element != null) {
      taken.incrementAndGet(element);
    }
  }
}
