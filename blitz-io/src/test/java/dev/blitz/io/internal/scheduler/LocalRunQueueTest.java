package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
@OnceIsEnough
class LocalRunQueueTest {
  /** Near both ends of int, so that positions wrap while a test runs. */
  private static final int WRAPS_SOON = Integer.MAX_VALUE - 2;

  /** Overflow that keeps each batch. */
  private static final class Batches implements LocalRunQueue.Overflow<Integer> {
    final List<List<Integer>> batches = new ArrayList<>();

    @Override
    public void overflow(List<@Nullable Integer> tasks, int count) {
      List<Integer> batch = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        batch.add(Objects.requireNonNull(tasks.get(i)));
      }
      batches.add(batch);
    }
  }

  private final Batches overflow = new Batches();

  private LocalRunQueue<Integer> filled(int capacity, int origin, int tasks) {
    var queue = new LocalRunQueue<Integer>(capacity, origin);
    for (int i = 0; i < tasks; i++) {
      queue.push(i, overflow);
    }
    return queue;
  }

  private static List<Integer> drain(LocalRunQueue<Integer> queue) {
    List<Integer> all = new ArrayList<>();
    for (Integer t = queue.pop(); t != null; t = queue.pop()) {
      all.add(t);
    }
    return all;
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /** The slots themselves: a task that has left must not be kept from the collector. */
  private static @Nullable Object[] array(LocalRunQueue<?> queue, String name) throws Exception {
    Field field = LocalRunQueue.class.getDeclaredField(name);
    field.setAccessible(true);
    return (Object[]) field.get(queue);
  }

  private static void assertNothingKept(LocalRunQueue<?> queue) throws Exception {
    assertThat(array(queue, "slots")).containsOnlyNulls();
    assertThat(array(queue, "spill")).containsOnlyNulls();
    assertThat(queue.hasLifo()).isFalse();
    assertThat(queue.length()).isZero();
  }

  // --- The owner alone
  // ----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 6, 255, -2, Integer.MAX_VALUE})
  void capacity_mustBeAPowerOfTwo(int capacity) {
    assertThatThrownBy(() -> new LocalRunQueue<Integer>(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("power of two");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, -3, WRAPS_SOON, Integer.MIN_VALUE})
  void tasksComeOutInTheirOrder(int origin) throws Exception {
    var queue = new LocalRunQueue<Integer>(4, origin);
    int in = 0;
    int out = 0;
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 1 + round % 4; i++) {
        queue.push(in++, overflow);
      }
      assertThat(queue.length()).isEqualTo(in - out);
      assertThat(queue.free()).isEqualTo(4 - (in - out));
      while (out < in) {
        assertThat(queue.pop()).isEqualTo(out++);
      }
      assertThat(queue.pop()).isNull();
    }
    assertThat(overflow.batches).isEmpty();
    assertNothingKept(queue);
  }

  @Test
  void lifoSlot_swapsPopsAndIsStolen() {
    var queue = new LocalRunQueue<Integer>(4);
    assertThat(queue.popLifo()).isNull();
    assertThat(queue.stealLifo()).isNull();
    assertThat(queue.swapLifo(1)).isNull();
    assertThat(queue.hasLifo()).isTrue();
    assertThat(queue.swapLifo(2)).isEqualTo(1);
    assertThat(queue.popLifo()).isEqualTo(2);
    assertThat(queue.hasLifo()).isFalse();
    assertThat(queue.swapLifo(3)).isNull();
    assertThat(queue.stealLifo()).isEqualTo(3);
    assertThat(queue.popLifo()).isNull();
    assertThat(queue.length()).as("the slot is not part of the ring").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, WRAPS_SOON, -1})
  void push_whenFull_movesTheOlderHalfAndTheTask_inOneBatch(int origin) throws Exception {
    var queue = filled(4, origin, 5);
    assertThat(overflow.batches).containsExactly(List.of(0, 1, 4));
    assertThat(array(queue, "spill")).containsOnlyNulls();
    assertThat(queue.length()).isEqualTo(2);
    queue.push(5, overflow);
    queue.push(6, overflow);
    queue.push(7, overflow);
    assertThat(overflow.batches).containsExactly(List.of(0, 1, 4), List.of(2, 3, 7));
    assertThat(drain(queue)).containsExactly(5, 6);
    assertNothingKept(queue);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 256})
  void push_beyondCapacity_losesNothing(int capacity) throws Exception {
    var queue = filled(capacity, WRAPS_SOON, 10 * capacity + 1);
    List<Integer> all = new ArrayList<>(drain(queue));
    overflow.batches.forEach(all::addAll);
    assertThat(all).containsExactlyInAnyOrderElementsOf(range(0, 10 * capacity + 1));
    assertThat(overflow.batches).allMatch(b -> b.size() == capacity / 2 + 1);
    assertNothingKept(queue);
  }

  // --- Stealing
  // -----------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "2, 1", "3, 2", "4, 2", "5, 3", "6, 3", "7, 4", "8, 4"})
  void steal_takesTheOlderHalf_roundedUp(int tasks, int stolen) throws Exception {
    for (int origin : new int[] {0, WRAPS_SOON, -1}) {
      var victim = filled(8, origin, tasks);
      var thief = new LocalRunQueue<Integer>(8, -origin);
      Integer one = victim.stealInto(thief);
      List<Integer> taken = new ArrayList<>(drain(thief));
      if (one != null) {
        taken.add(one);
      }
      assertThat(taken).as("from " + tasks).isEqualTo(range(0, stolen));
      assertThat(drain(victim)).isEqualTo(range(stolen, tasks));
      assertNothingKept(victim);
      assertNothingKept(thief);
    }
  }

  @Test
  void steal_fromTheFullRing_leavesRoomForTheHalf() {
    var victim = filled(4, 0, 4);
    assertThat(victim.stealInto(new LocalRunQueue<>(4))).isNotNull();
    assertThat(victim.free()).isEqualTo(2);
    victim.push(4, overflow);
    victim.push(5, overflow);
    assertThat(overflow.batches).isEmpty();
    assertThat(drain(victim)).containsExactly(2, 3, 4, 5);
  }

  @Test
  void steal_intoARingThatIsMoreThanHalfFull_isRefused() {
    var thief = filled(4, 0, 3);
    var victim = filled(4, 0, 2);
    assertThat(victim.stealInto(thief)).isNull();
    assertThat(victim.length()).isEqualTo(2);
    assertThat(thief.pop()).isZero();
    assertThat(victim.stealInto(thief)).isNotNull();
  }

  @Test
  void steal_intoAHalfFullRing_goesBehindWhatIsThere() {
    var thief = new LocalRunQueue<Integer>(4);
    thief.push(100, overflow);
    thief.push(101, overflow);
    var victim = filled(4, 0, 4);
    assertThat(victim.stealInto(thief)).isEqualTo(1);
    assertThat(drain(thief)).containsExactly(100, 101, 0);
  }

  /** A thief that stopped after its claim, made with the head's own packing. */
  private static void claim(LocalRunQueue<?> queue, int from, int n) throws Exception {
    Class<?> declaring = LocalRunQueue.class;
    while (!declaring.getSimpleName().equals("Head")) {
      declaring = declaring.getSuperclass();
    }
    Field head = declaring.getDeclaredField("head");
    head.setAccessible(true);
    head.setLong(queue, LocalRunQueue.pack(from, from + n));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, WRAPS_SOON, -2})
  void whileAThiefIsActive_ownerPopsBehindIt_pushesAside_andOthersKeepOff(int origin)
      throws Exception {
    var queue = filled(4, origin, 4);
    claim(queue, origin, 2); // tasks 0 and 1 are being copied
    assertThat(queue.length()).isEqualTo(2);
    assertThat(queue.free()).as("the claimed slots are not free yet").isZero();
    queue.push(4, overflow);
    assertThat(overflow.batches).as("one task, not half of the ring").containsExactly(List.of(4));
    assertThat(queue.stealInto(new LocalRunQueue<>(4))).as("a second thief").isNull();
    assertThat(queue.pop()).isEqualTo(2);
    assertThat(queue.pop()).isEqualTo(3);
    assertThat(queue.pop()).isNull();
    queue.push(5, overflow);
    assertThat(overflow.batches)
        .as("still full: the thief has 2, 3's slots wait for it")
        .hasSize(2);
    claim(queue, origin + 4, 0); // the thief releases
    queue.push(6, overflow);
    assertThat(queue.pop()).isEqualTo(6);
    assertThat(overflow.batches).hasSize(2);
  }

  @Test
  void pack_keepsBothHalvesApart() {
    int[] values = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
    for (int steal : values) {
      for (int real : values) {
        long head = LocalRunQueue.pack(steal, real);
        assertThat(LocalRunQueue.steal(head)).isEqualTo(steal);
        assertThat(LocalRunQueue.real(head)).isEqualTo(real);
      }
    }
  }

  // --- Races
  // --------------------------------------------------------------------------------------

  /** Every task is seen once by owner, thieves or overflow; each sees its own in rising order. */
  @ParameterizedTest
  @CsvSource({"4, 0", "4, " + WRAPS_SOON, "8, -50", "256, " + WRAPS_SOON})
  void ownerAndThieves_takeDisjointTasks_andNothingIsLost(int capacity, int origin, TestSeed seed)
      throws Exception {
    int tasks = 60_000;
    var victim = new LocalRunQueue<Integer>(capacity, origin);
    var done = new AtomicBoolean();
    List<List<Integer>> seen = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    var spilled = new Batches();
    Race.run(
        3,
        index -> {
          List<Integer> mine = seen.get(index);
          if (index == 0) {
            try {
              var random = seed.random();
              for (int next = 0; next < tasks; ) {
                for (int burst = random.nextInt(capacity + 2); burst > 0 && next < tasks; burst--) {
                  if (random.nextInt(8) == 0) {
                    Integer evicted = victim.swapLifo(next++);
                    if (evicted != null) {
                      victim.push(evicted, spilled);
                    }
                  } else {
                    victim.push(next++, spilled);
                  }
                }
                for (int pops = random.nextInt(capacity + 1); pops > 0; pops--) {
                  Integer task = random.nextInt(8) == 0 ? victim.popLifo() : victim.pop();
                  if (task != null) {
                    mine.add(task);
                  }
                }
              }
            } finally {
              done.set(true);
            }
          } else {
            var own = new LocalRunQueue<Integer>(capacity, -origin);
            while (!done.get()) {
              Integer one = index == 1 ? victim.stealInto(own) : stealEither(victim, own);
              mine.addAll(drain(own));
              if (one != null) {
                mine.add(one);
              }
            }
            assertNothingKept(own);
          }
        });
    List<Integer> left = new ArrayList<>(drain(victim));
    Integer newest = victim.popLifo();
    if (newest != null) {
      left.add(newest);
    }
    var all = new BitSet();
    for (List<Integer> list : Arrays.asList(seen.get(0), seen.get(1), seen.get(2), left)) {
      list.forEach(t -> mark(all, t));
    }
    spilled.batches.forEach(b -> b.forEach(t -> mark(all, t)));
    assertThat(all.cardinality()).isEqualTo(tasks);
    assertNothingKept(victim);
  }

  private static @Nullable Integer stealEither(
      LocalRunQueue<Integer> victim, LocalRunQueue<Integer> own) {
    Integer task = victim.stealLifo();
    return task != null ? task : victim.stealInto(own);
  }

  private static void mark(BitSet all, int task) {
    assertThat(all.get(task)).as("task " + task + " was taken twice").isFalse();
    all.set(task);
  }
}
