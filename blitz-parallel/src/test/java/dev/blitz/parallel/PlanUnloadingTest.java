package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** What is learnt about a lambda keeps neither it nor its class loader alive. */
@Strict
class PlanUnloadingTest {
  /** Loaded again by a loader of its own, as a plug-in would be. */
  public static final class PlugIn implements Runnable {
    private final long[] data = new long[1 << 16];
    private final Long[] boxed = new Long[1 << 16];

    /** For the test. */
    public PlugIn() {
      java.util.Arrays.setAll(boxed, i -> (long) i);
    }

    @Override
    public void run() {
      for (int round = 0; round < 50; round++) {
        Parallel.parallelFor(0, data.length, i -> data[i] += i);
        Parallel.parallelForUntil(0, data.length, i -> data[i] < 0);
        Parallel.parallelForLong(0, data.length, LoopOptions.DEFAULT, i -> data[(int) i]--);
        Parallel.parallelReduce(
            0, data.length, 0L, (from, to) -> data[from] + data[to - 1], Long::sum);
        Parallel.iter(data).map(x -> x + 3).filter(x -> x % 2 == 0).forEach(x -> data[0] = x);
        Parallel.iter(data).flatMap(x -> Parallel.rangeLong(x, x + 2)).minBy(x -> x * 3);
        Parallel.iter(data).collect(() -> new long[1], (sum, x) -> sum[0] += x, (l, r) -> {});
        Parallel.sort(data.clone());
        Parallel.sort(boxed.clone(), (x, y) -> Long.compare(y, x));
      }
    }
  }

  private static final class PlugInLoader extends ClassLoader {
    PlugInLoader() {
      super(PlanUnloadingTest.class.getClassLoader());
    }

    Class<?> load() throws IOException {
      String name = PlugIn.class.getName();
      String file = "/" + name.replace('.', '/') + ".class";
      try (InputStream in = PlanUnloadingTest.class.getResourceAsStream(file)) {
        byte[] bytes = java.util.Objects.requireNonNull(in).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  private static WeakReference<ClassLoader> runPlugIn(Pool pool) throws Exception {
    var loader = new PlugInLoader();
    var plugIn = (Runnable) loader.load().getConstructor().newInstance();
    assertThat(plugIn.getClass().getClassLoader()).isSameAs(loader);
    pool.run(plugIn::run);
    return new WeakReference<>(loader);
  }

  @Test
  void loader_ofLambdasThatHadPlans_isUnloaded() throws Exception {
    try (var pool = Pool.of(2)) {
      WeakReference<ClassLoader> loader = runPlugIn(pool);
      Await.untilCollected(() -> loader.refersTo(null), "the loader to be collected");
    }
  }
}
