package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.internal.plan.Plan;
import dev.blitz.parallel.internal.plan.Plans;
import dev.blitz.parallel.internal.plan.Template;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the JVM makes of a loop of a lambda's own, each in a JVM that has never had one. */
@Strict
class CopiedLoopTest {
  /** Small loops: the shared one for a million elements, then one of its own. */
  static final class Small {
    private static final int LENGTH = 100;
    private static final int LOOPS = 400_000;

    private Small() {}

    static void main() {
      long[] data = new long[LENGTH];
      for (int n = 0; n < LOOPS; n++) {
        int add = n;
        Parallel.parallelFor(0, LENGTH, i -> data[i] = i * 31L + add);
      }
      System.out.println(data[LENGTH - 1]);
    }
  }

  /** A lambda gets its own loop as near to the end of a stack as that is tried at all. */
  static final class AtTheEnd {
    /** Until what is called near the end is compiled, so that its frames are as small as can be. */
    private static final int WARM_UPS = 100_000;

    private AtTheEnd() {}

    static void main() throws InterruptedException {
      for (int i = 0; i < WARM_UPS; i++) {
        StackReserve.isAvailable();
        StackReserve.isAmple();
        hasOwnLoop(0);
      }
      var thread = new Thread(null, () -> atTheLastLevel(Integer.MAX_VALUE), "end", 512 << 10);
      thread.start();
      thread.join();
      System.out.println(hasOwnLoop(1 << 20) ? "copied" : "refused");
    }

    private static boolean hasOwnLoop(long elements) {
      Plan<IndexCode> plan =
          new Plans<IndexCode>(new Template<>(MethodHandles.lookup(), new IndexCode.Loop()))
              .get(AtTheEnd.class);
      Loops.passed(plan, elements);
      return plan.loop().getClass().isHidden();
    }

    /** Tried on the way back from the end of the stack, until it works. */
    private static boolean atTheLastLevel(int levels) {
      if (levels == 0) {
        return false;
      }
      try {
        if (atTheLastLevel(levels - 1)) {
          return true;
        }
      } catch (StackOverflowError end) {
        // The level above tries.
      }
      return hasOwnLoop(1 << 20);
    }
  }

  private static String run(Class<?> program, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /**
   * Its callers have met the shared loop a million times, and it never. Compiled into them then, it
   * would be taken for rare: the lambda would not be compiled into it, for as long as the JVM runs.
   */
  @Test
  void copy_isCompiledByItself_notIntoCallersThatKnowTheSharedLoop() throws Exception {
    String compilations =
        run(
            Small.class,
            "-Xbatch",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+PrintInlining",
            "-XX:+PrintCompilation");
    String copy = "IndexCode\\$Loop/0x\\w+::run";
    assertThat(compilations)
        .as("compiled by C2")
        .containsPattern("\\d+ +\\d+ [%sb!n ]* 4 +[\\w.]+" + copy)
        .as("compiled into a caller")
        .doesNotContainPattern(copy + " \\(\\d+ bytes\\) +inline \\(hot\\)");
  }

  /** A class of the JDK's whose initialiser overflows is broken for the whole program. */
  @Test
  void copy_thatIsDueAtTheEndOfAStack_breaksNothing() throws Exception {
    assertThat(run(AtTheEnd.class, "-XX:+UseSerialGC")).isEqualToIgnoringNewLines("copied");
  }
}
