package dev.blitz.parallel.internal.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.plan.PlanBudget;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops that are due near the end of a stack, each in a JVM that has never spun one. */
@Strict
class SpunAtTheEndTest {
  /** What the other JVM runs. */
  static final class Program {
    /** Until what is called near the end is compiled, so that its frames are as small as can be. */
    private static final int WARM_UPS = 100_000;

    private static final Segment SHAPE =
        new Segment(
            new Source(Source.Form.LONGS, new long[1], 0, 1, 1),
            new Step[0],
            Form.SUM,
            Kind.LONG,
            null);

    private Program() {}

    static void main(String[] args) throws InterruptedException {
      boolean guarded = args[0].equals("guarded");
      SpinPlan plan = new SpinPlan(new PlanBudget(1));
      if (guarded) {
        for (int i = 0; i < WARM_UPS; i++) {
          Loops.hasStack();
          new SpinPlan(new PlanBudget(1)).passed(0, SHAPE);
        }
      } else {
        // What the JDK initialises for the first loop is not to be broken: that is the guard's.
        Spinner.spin(SHAPE);
      }
      var thread =
          new Thread(null, () -> atEveryLevel(plan, guarded, Integer.MAX_VALUE), "end", 512 << 10);
      thread.start();
      thread.join();
      boolean early = plan.code() != Interpreter.SHARED;
      plan.passed(1L << 40, SHAPE);
      System.out.println(
          (early ? "early, " : "late, ")
              + (plan.code() != Interpreter.SHARED ? "spun" : "refused"));
    }

    /** Tried on the way back from the end of the stack, until it works. */
    private static boolean atEveryLevel(SpinPlan plan, boolean guarded, int levels) {
      if (levels == 0) {
        return false;
      }
      try {
        if (atEveryLevel(plan, guarded, levels - 1)) {
          return true;
        }
      } catch (StackOverflowError end) {
        // The level above tries.
      }
      if (guarded) {
        plan.passed(SpinPlan.ELEMENTS_PER_LOOP, SHAPE);
      } else {
        plan.spin(SHAPE);
      }
      return plan.code() != Interpreter.SHARED;
    }
  }

  /**
   * With the guard, a class of the JDK's whose initialiser overflows is broken for the whole
   * program. Without it, an overflow at any step leaves a plan that another may still spin.
   */
  @ParameterizedTest
  @ValueSource(strings = {"guarded", "unguarded", "interpreted"})
  void spin_thatIsDueAtTheEndOfAStack_breaksNothing(String how)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                how.equals("interpreted") ? "-Xint" : "-Xmixed",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                how)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).isEqualToIgnoringNewLines("early, spun");
  }
}
