package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In a JVM of its own, because the common pool of this one may be there already. */
@Strict
class CommonPoolStartTest {
  /** What the other JVM runs: no memory for the pool at first, then enough. */
  static final class Program {
    private static final int PROGRAM_NEEDS = 256 << 10;

    private Program() {}

    static void main() {
      // Everything is loaded and linked.
      try (var pool = Pool.of(1)) {
        pool.call(() -> 1);
      }
      List<Object> hoard = new ArrayList<>();
      boolean failed = false;
      try {
        fill(hoard);
        // Enough to load a class, not enough for as many workers as this JVM is told to start.
        hoard.removeFirst();
        Pool.common();
      } catch (OutOfMemoryError expected) {
        // Not even a string constant: its first use allocates.
        failed = true;
      }
      hoard.clear();
      System.out.println(
          (failed ? "out of memory" : "started") + ", then " + Pool.common().call(() -> 42));
    }

    private static void fill(List<Object> hoard) {
      hoard.add(new byte[PROGRAM_NEEDS]);
      for (int size = 1 << 20; size >= 16; size /= 2) {
        try {
          while (true) {
            hoard.add(new byte[size]);
          }
        } catch (OutOfMemoryError full) {
          // Smaller ones still fit.
        }
      }
    }
  }

  /**
   * What another JVM runs: a carrier whose virtual thread comes first, and waits; then the carrier
   * comes.
   */
  static final class Carried {
    private static final int PATIENCE_SECONDS = 20;

    private Carried() {}

    static void main() throws Exception {
      BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
      var both = new CountDownLatch(2);
      Set<Pool> pools = ConcurrentHashMap.newKeySet();
      Runnable first =
          () -> {
            pools.add(Pool.common());
            both.countDown();
          };
      Class<?> builders = Class.forName("java.lang.ThreadBuilders");
      Method newThread =
          builders.getDeclaredMethod(
              "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      newThread.setAccessible(true);
      Executor carrier = tasks::add;
      ((Thread) newThread.invoke(null, carrier, "carried", 0, first)).start();
      tasks.add(first);
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            while (true) {
              try {
                tasks.take().run();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }
          });
      boolean came = both.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("blitz-parallel-"))
              .count();
      System.out.println(
          came ? pools.size() + " pool, " + threads + " workers" : "the carrier waits for ever");
    }
  }

  private static String output(Class<?> program, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void common_afterAFailedStart_startsTheNextTime() throws Exception {
    assertThat(output(Program.class, "-Xmx24m", "-XX:ActiveProcessorCount=400", "-XX:+UseSerialGC"))
        .isEqualTo("out of memory, then 42");
  }

  @Test
  void common_onAVirtualThreadAndItsCarrier_startsOnce() throws Exception {
    assertThat(
            output(
                Carried.class,
                "-XX:ActiveProcessorCount=3",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED"))
        .isEqualTo("1 pool, 3 workers");
  }
}
