package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spawns at every level down to the end of the stack, in a JVM that only interprets: there every
 * step of a spawn is a call that may overflow, compiled code has one for all of them.
 */
@Strict
class InterpretedStackTest {
  /** What the other JVM runs. */
  static final class Program {
    private static final int ROUNDS = 40;
    private static final long LIMIT_MILLIS = 30_000;

    private Program() {}

    static void main(String[] args) throws InterruptedException {
      var rounds = new Thread(() -> rounds(args[0].equals("scope")));
      rounds.setDaemon(true);
      rounds.start();
      rounds.join(LIMIT_MILLIS);
      System.out.println(rounds.isAlive() ? "hangs" : "ended");
    }

    private static void rounds(boolean scope) {
      try (var pool = Pool.builder().workers(2).stackBytes(256 << 10).build()) {
        for (int i = 0; i < ROUNDS; i++) {
          int round = i;
          var spawned = new AtomicInteger();
          var ran = new AtomicInteger();
          pool.scope(s ->
              toTheEnd(
                  round,
                  () -> {
                    if (scope) {
                      s.spawn(ran::incrementAndGet);
                    } else {
                      pool.spawn(ran::incrementAndGet);
                    }
                    spawned.incrementAndGet();
                  }));
          if (scope && ran.get() < spawned.get()) {
            throw new AssertionError(spawned + " spawned, " + ran + " ran");
          }
        }
      }
    }

    private static void toTheEnd(int round, Runnable what) {
      try {
        pad(round * 37 % 64, round % 7, what);
      } catch (StackOverflowError e) {
        // The body goes on; nothing that was half begun may be left.
      }
    }

    private static void pad(int levels, int gap, Runnable what) {
      if (levels > 0) {
        pad(levels - 1, gap, what);
      } else {
        what.run();
        pad(gap, gap, what);
      }
    }
  }

  /** A job that is counted and was never added is waited for, by its scope or by close. */
  @ParameterizedTest
  @ValueSource(strings = {"scope", "pool"})
  void spawn_atEveryLevelOfTheStack_leavesNoJobCountedThatIsNotThere(String what) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xint",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                what)
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).isEqualTo("ended");
  }
}
