package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.array.SeededRandom;
import dev.blitz.parallel.array.SortedArrays;
import dev.blitz.parallel.iter.DoubleIter;
import dev.blitz.parallel.iter.IntIter;
import dev.blitz.parallel.iter.Iter;
import dev.blitz.parallel.sort.ParallelSort;
import dev.blitz.testkit.Strict;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The first use of the library, by any of its methods, at the very end of a stack: it overflows,
 * and the next use finds nothing broken.
 */
@Strict
class FirstUseTest {
  /** Every way in; loaded again for each of them, with a library that nobody has used. */
  public static final class Uses implements Function<String, Boolean> {
    /** For the test. */
    public Uses() {}

    private static Map<String, Runnable> all() {
      int[] ints = {3, 1, 2};
      long[] longs = {3, 1, 2};
      double[] doubles = {3, 1, 2};
      Integer[] objects = {3, 1, 2};
      Comparator<Integer> order = Comparator.naturalOrder();
      Map<String, Runnable> uses = new LinkedHashMap<>();
      uses.put("parallelFor", () -> Parallel.parallelFor(0, 3, i -> longs[i]++));
      uses.put("parallelForUntil", () -> Parallel.parallelForUntil(0, 3, i -> i == 1));
      uses.put(
          "parallelReduce",
          () -> Parallel.parallelReduce(0, 3, 0, (from, to) -> to - from, Integer::sum));
      uses.put("join", () -> Parallel.join(() -> {}, () -> {}));
      uses.put("tryJoin", () -> Parallel.tryJoin(List.<Work<Integer, RuntimeException>>of()));
      uses.put("scope", () -> Parallel.scope(scope -> {}));
      uses.put("spawn", () -> Parallel.spawn(() -> {}, failure -> {}));
      uses.put("yieldNow", Parallel::yieldNow);
      uses.put("job", () -> new Job().invoke(3));
      uses.put("iter, ints", () -> Parallel.iter(ints).map(i -> i + 1).sum());
      uses.put("iter, longs", () -> Parallel.iter(longs).filter(i -> i > 1).max());
      uses.put("iter, objects", () -> Parallel.iter(objects).toList());
      uses.put("range", () -> Parallel.range(0, 3).toArray());
      uses.put("IntIter.of", () -> IntIter.of(ints).scan(Integer::sum).toArray());
      uses.put("DoubleIter.of", () -> DoubleIter.of(doubles).sumCompensated());
      uses.put("Iter.from", () -> Iter.from(Stream.of(1, 2)).count());
      uses.put("sort, ints", () -> Parallel.sort(ints.clone()));
      uses.put("sort, objects", () -> Parallel.sort(objects.clone()));
      uses.put("sortUnstable", () -> ParallelSort.sortUnstable(objects.clone()));
      uses.put("argsort", () -> ParallelSort.argsort(longs));
      uses.put("merge, ints", () -> SortedArrays.merge(ints, ints));
      uses.put("difference, objects", () -> SortedArrays.difference(objects, objects, order));
      uses.put("permutation", () -> SeededRandom.of(7).permutation(3));
      uses.put("Pool.common", Pool::common);
      uses.put("Pool.of", () -> Pool.of(1).close());
      return uses;
    }

    private static final class Job extends RecursiveIntJob {
      @Override
      protected int compute(int n) {
        return n < 2 ? n : join(n - 1, n - 2);
      }

      @Override
      protected int combine(int left, int right) {
        return left + right;
      }
    }

    static List<String> names() {
      return List.copyOf(all().keySet());
    }

    @Override
    public Boolean apply(String name) {
      Runnable use = all().get(name);
      boolean overflowed = descend(use, Integer.MAX_VALUE);
      use.run();
      return overflowed;
    }

    /** Tries at every level, from the end of the stack up, until it succeeds. */
    private static boolean descend(Runnable use, int levels) {
      boolean overflowed = false;
      try {
        overflowed = levels > 0 && descend(use, levels - 1);
      } catch (StackOverflowError end) {
        // From here on up.
      }
      if (overflowed && worked) {
        return true;
      }
      try {
        use.run();
        worked = true;
        return true;
      } catch (VirtualMachineError end) {
        // An overflow, which the JDK's linker may have wrapped into an internal error.
        return true;
      }
    }

    private static boolean worked;
  }

  /** What the other JVM runs: the JDK's own classes are in use there, the library is not. */
  static final class Program {
    private Program() {}

    static void main() throws Exception {
      // The JDK's own initialisers, which a full stack would break just as well.
      Uses.all().values().forEach(Runnable::run);
      for (String name : Uses.names()) {
        // It stays open: workers that this use has started may still need classes.
        var fresh = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
        System.out.println(name + ": " + inFresh(fresh, name));
      }
      System.exit(0);
    }

    @SuppressWarnings("unchecked") // it is the same class, loaded again
    private static Object inFresh(ClassLoader fresh, String name) throws Exception {
      var uses =
          (Function<String, Boolean>)
              fresh.loadClass(Uses.class.getName()).getConstructor().newInstance();
      Object[] result = new Object[1];
      var thread =
          new Thread(
              null,
              () -> {
                try {
                  result[0] = uses.apply(name);
                } catch (Throwable t) {
                  result[0] = t;
                }
              },
              name,
              256 << 10);
      thread.start();
      thread.join();
      return result[0];
    }

    private static URL[] classPath() throws MalformedURLException {
      String[] parts = System.getProperty("java.class.path").split(File.pathSeparator, -1);
      URL[] urls = new URL[parts.length];
      for (int i = 0; i < parts.length; i++) {
        urls[i] = Path.of(parts[i]).toUri().toURL();
      }
      return urls;
    }
  }

  @Test
  void firstUse_atTheEndOfTheStack_breaksNothing() throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output.lines()).allMatch(line -> line.endsWith(": true"), "works in the end");
  }
}
