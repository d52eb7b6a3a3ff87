package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void common_afterAFailedStart_startsTheNextTime() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xmx24m",
                "-XX:ActiveProcessorCount=400",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).isEqualTo("out of memory, then 42");
  }
}
