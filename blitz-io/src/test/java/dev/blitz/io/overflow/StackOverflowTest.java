package dev.blitz.io.overflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A recursion without end in the user's code that calls us at each level breaks neither the runtime
 * nor what it uses: no lock stays held, no permit, task, timer or waiter is lost. Each in a JVM of
 * its own: with everything interpreted, where frames are largest, and compiled as it comes.
 */
@Strict
class StackOverflowTest {

  @Test
  @OnceIsEnough
  @TimeLimit(300)
  void everyOperation_interpreted_survivesAnEndOfTheStack() throws Exception {
    survive(2, 1, "-Xint");
  }

  @Test
  @OnceIsEnough
  @TimeLimit(300)
  void everyOperation_interpretedOnOneWorker_survivesAnEndOfTheStack() throws Exception {
    survive(1, 1, "-Xint");
  }

  @Test
  @TimeLimit(300)
  void everyOperation_compiled_survivesAnEndOfTheStack() throws Exception {
    survive(2, 4);
  }

  private static void survive(int workers, int rounds, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-Xss256k"); // the workers' stacks, and so their ends, are near
    all.add("-XX:MaxJavaStackTraceDepth=16"); // else most of the time is the writing down of ends
    all.add("--enable-native-access=ALL-UNNAMED");
    var arguments = List.of(Integer.toString(workers), Integer.toString(rounds));
    var result = ChildJvm.run(OverflowProgram.class, all, arguments);
    assertThat(result.output()).contains("all operations survived");
    assertThat(result.exit()).isZero();
  }
}
