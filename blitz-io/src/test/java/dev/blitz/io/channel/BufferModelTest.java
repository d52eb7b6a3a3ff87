package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both buffers against a plain queue, with positions that overflow on the way. */
@Strict
@OnceIsEnough
class BufferModelTest {
  private static final int STEPS = 20_000;

  record Case(String name, int capacity, Supplier<Buffer<Integer>> make) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.concat(
        Stream.of(1, 2, 3, 5, 1_000)
            .flatMap(c ->
                Stream.of(
                    new Case("ring of " + c, c, () -> new BoundedRing<>(c)),
                    new Case(
                        "ring of " + c + " before the overflow",
                        c,
                        () -> new BoundedRing<>(c, (1L << 36) / slotsPerLap(c) - 2)),
                    new Case(
                        "ring of " + c + " before the sign",
                        c,
                        () -> new BoundedRing<>(c, (1L << 35) / slotsPerLap(c) - 2)))),
        Stream.of(1, 2, 3, 64)
            .flatMap(s ->
                Stream.of(
                    new Case("segments of " + s + ", 5", 5, () -> new SegmentedBuffer<>(s, 0, 5)),
                    new Case(
                        "segments of " + s + ", 100, before the sign",
                        100,
                        () -> new SegmentedBuffer<>(s, (1L << 35) - 100, 100)),
                    new Case(
                        "segments of " + s, Integer.MAX_VALUE, () -> new SegmentedBuffer<>(s, 0)),
                    new Case(
                        "segments of " + s + " before the overflow",
                        Integer.MAX_VALUE,
                        () -> new SegmentedBuffer<>(s, (1L << 36) - 100)))));
  }

  private static int slotsPerLap(int capacity) {
    int slots = 1;
    while (slots < capacity) {
      slots *= 2;
    }
    return slots;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anySequence_behavesAsAQueueWithPermits(Case c, TestSeed seed) {
    SplittableRandom random = seed.random();
    Buffer<Integer> buffer = c.make().get();
    var model = new ArrayDeque<Integer>();
    int permits = 0;
    boolean filling = true;
    for (int i = 0; i < STEPS; i++) {
      if (model.size() + permits >= Math.min(c.capacity(), 300)) {
        filling = false;
      } else if (model.isEmpty()) {
        filling = true;
      }
      boolean room = model.size() + permits < c.capacity();
      int choice = random.nextInt(filling ? 8 : 12);
      switch (choice) {
        case 0, 1, 2, 3 -> {
          assertThat(buffer.trySend(i)).isEqualTo(room ? SendResult.SENT : SendResult.FULL);
          if (room) {
            model.add(i);
          }
        }
        case 4 -> {
          assertThat(buffer.tryReserve()).isEqualTo(room ? SendResult.SENT : SendResult.FULL);
          permits += room ? 1 : 0;
        }
        case 5 -> {
          if (permits > 0) {
            buffer.sendReserved(i);
            model.add(i);
            permits--;
          }
        }
        case 6 -> {
          if (permits > 0) {
            buffer.release();
            permits--;
          }
        }
        default -> assertThat(buffer.tryReceive()).isEqualTo(model.poll());
      }
      assertThat(buffer.length()).isEqualTo(model.size());
      assertThat(buffer.isEmptyForNow()).isEqualTo(model.isEmpty());
      assertThat(buffer.isFull()).isEqualTo(model.size() + permits >= c.capacity());
    }
    close(buffer, model, permits);
  }

  private static void close(Buffer<Integer> buffer, ArrayDeque<Integer> model, int permits) {
    assertThat(buffer.close()).isTrue();
    assertThat(buffer.close()).isFalse();
    assertThat(buffer.trySend(-1)).isEqualTo(SendResult.CLOSED);
    assertThat(buffer.tryReserve()).isEqualTo(SendResult.CLOSED);
    for (int left = permits; left > 0; left--) {
      assertThat(buffer.isDrained()).isFalse();
      if (left % 2 == 0) {
        buffer.sendReserved(-left);
        model.add(-left);
      } else {
        buffer.release();
      }
    }
    while (!model.isEmpty()) {
      assertThat(buffer.isDrained()).isFalse();
      assertThat(buffer.tryReceive()).isEqualTo(model.poll());
    }
    assertThat(buffer.tryReceive()).isNull();
    assertThat(buffer.isDrained()).isTrue();
    assertThat(buffer.isEmptyForNow()).isFalse();
  }
}
