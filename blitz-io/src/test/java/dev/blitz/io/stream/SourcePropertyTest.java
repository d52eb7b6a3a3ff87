package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random chains of operators against the same chains of {@code java.util.stream}. */
@Strict
class SourcePropertyTest {
  private static final int CHAINS = 400;

  @Test
  void randomChains_yieldWhatStreamsYield(TestSeed seed) throws Exception {
    var random = new Random(seed.value());
    try (var rt = BlitzRuntime.builder().workers(1).clock(new ManualTimeSource(true)).build()) {
      for (int i = 0; i < CHAINS; i++) {
        List<Integer> items =
            IntStream.range(0, random.nextInt(40)).map(n -> random.nextInt(100)).boxed().toList();
        ProbeSource probe =
            random.nextBoolean() ? ProbeSource.slow(items) : ProbeSource.ready(items);
        Source<Integer> source = probe;
        Stream<Integer> reference = items.stream();
        var text = new StringBuilder("source");
        for (int n = random.nextInt(8); n > 0; n--) {
          int k = random.nextInt(6);
          switch (random.nextInt(10)) {
            case 0 -> {
              text.append(".map(").append(k).append(')');
              source = source.map(x -> x + k);
              reference = reference.map(x -> x + k);
            }
            case 1 -> {
              text.append(".filter(").append(k).append(')');
              source = source.filter(x -> x % (k + 1) != 0);
              reference = reference.filter(x -> x % (k + 1) != 0);
            }
            case 2 -> {
              text.append(".take(").append(5 * k).append(')');
              source = source.take(5L * k);
              reference = reference.limit(5L * k);
            }
            case 3 -> {
              text.append(".skip(").append(k).append(')');
              source = source.skip(k);
              reference = reference.skip(k);
            }
            case 4 -> {
              text.append(".takeWhile(").append(k).append(')');
              source = source.takeWhile(x -> x % 50 != k);
              reference = reference.takeWhile(x -> x % 50 != k);
            }
            case 5 -> {
              text.append(".mapAsync(").append(k + 1).append(')');
              source =
                  source.mapAsync(
                      k + 1,
                      x ->
                          x % 3 == 0
                              ? Futures.ready(x)
                              : Task.sleep(Duration.ofMillis(x % 7)).map(done -> x));
            }
            case 6 -> {
              text.append(".flatMap(").append(k).append(')');
              source = source.flatMap(x -> x % 2 == 0 ? Source.of(x, k) : Source.<Integer>empty());
              reference = reference.flatMap(x -> x % 2 == 0 ? Stream.of(x, k) : Stream.of());
            }
            case 7 -> {
              text.append(".chunk.flatMap(").append(k).append(')');
              source = source.chunk(k + 1, Duration.ofMillis(3)).flatMap(Source::from);
            }
            case 8 -> {
              text.append(".throttle");
              source = source.throttle(Duration.ofMillis(k));
            }
            default -> {
              text.append(".merge(empty)");
              source = source.merge(Source.empty());
            }
          }
        }
        assertThat(rt.run(source.toList())).as(text + " of " + items).isEqualTo(reference.toList());
        probe.verify();
      }
      assertThat(rt.stats().timers()).isZero();
    }
  }

  @Test
  void merges_keepTheOrderOfEach_andLoseNothing(TestSeed seed) throws Exception {
    var random = new Random(seed.value());
    try (var rt = BlitzRuntime.builder().workers(1).clock(new ManualTimeSource(true)).build()) {
      for (int width : new int[] {1, 2, 3, 17, 200}) {
        List<Source<Integer>> sources =
            IntStream.range(0, width)
                .mapToObj(i -> {
                  List<Integer> items =
                      IntStream.range(0, 20).mapToObj(n -> 1_000 * i + n).toList();
                  Source<Integer> source =
                      random.nextBoolean() ? ProbeSource.slow(items) : ProbeSource.ready(items);
                  return random.nextBoolean() ? source.throttle(Duration.ofMillis(i % 5)) : source;
                })
                .toList();
        List<Integer> all = rt.run(Source.mergeAll(sources).toList());
        assertThat(all).hasSize(20 * width);
        for (int i = 0; i < width; i++) {
          int which = i;
          assertThat(all.stream().filter(n -> n / 1_000 == which).toList()).hasSize(20).isSorted();
        }
      }
    }
  }

  @Test
  void merge_ofTwoThatAreAlwaysReady_takesTurns() throws Exception {
    List<String> got =
        Source.generate(() -> "a").merge(Source.generate(() -> "b")).take(100).toList().await();
    assertThat(got.stream().filter("a"::equals)).hasSize(50);
  }
}
