package dev.blitz.parallel.internal.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

@Strict
class ShapesTest {
  private static final int MOST = 100;

  private static final List<LongUnaryOperator> FUNCTIONS =
      List.of(x -> x + 1, x -> x + 2, x -> x + 3, x -> x + 4);

  private final Shapes.Roots roots = new Shapes.Roots(MOST);

  /** The functions of a pipeline are the digits of a number. */
  private SpinPlan plan(int number) {
    Step[] steps = new Step[8];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = new Step(Op.MAP_LL, FUNCTIONS.get((number >> (2 * i)) & 3), null);
    }
    Source source = Source.ofArray(Kind.LONG, new long[1], 1);
    return Shapes.find(roots, source, steps, Form.SUM, Kind.LONG, null);
  }

  @Test
  void find_beyondTheMost_remembersNoMore_butWhatItKnew() {
    SpinPlan first = plan(0);
    int known = 0;
    for (int number = 0; number < 10_000; number++) {
      SpinPlan plan = plan(number);
      known += plan.equals(plan(number)) ? 1 : 0;
    }
    assertThat(known).isBetween(1, MOST);
    assertThat(plan(0)).isSameAs(first);
  }

  @Test
  void planForOneRun_isNeverSpun() {
    for (int number = 0; number < 1_000; number++) {
      plan(number);
    }
    SpinPlan forgotten = plan(9_999);
    Segment sum =
        new Segment(
            Source.ofArray(Kind.LONG, new long[1], 1), new Step[0], Form.SUM, Kind.LONG, null);
    forgotten.passed(10 * SpinPlan.ELEMENTS_PER_LOOP, sum);
    assertThat(forgotten.code()).isSameAs(Interpreter.SHARED);
  }
}
