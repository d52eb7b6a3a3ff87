package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.internal.Fields;
import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.plan.Cost;
import dev.blitz.parallel.internal.plan.PlanBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What is known of pipelines of one shape over lambdas of the same classes: what an element costs,
 * and the code.
 */
/*
 * Implementation notes
 *
 * Orderings: code is plain, written by the one thread that wins spinning and read by any. Code has no fields, so whichever
 * object a reader sees is complete. spinning is set by CAS, right before the try, and cleared by a volatile store, which calls
 * nothing: at the end of a stack a call may fail, and nobody would ever spin again. It only keeps others from spinning the same
 * again. No monitor: a virtual thread would queue for it, and who stands behind that may be its carrier.
 */
final class SpinPlan extends Cost {
  /**
   * Elements that must have passed before a loop is spun: making the class and compiling it takes
   * some milliseconds, which the interpreter loses within about this many.
   */
  static final long ELEMENTS_PER_LOOP = 1 << 17;

  private static final VarHandle SPINNING =
      Fields.of(MethodHandles.lookup(), "spinning", boolean.class);

  private static final PlanBudget BUDGET = new PlanBudget(1000);

  private final PlanBudget budget;

  @SuppressWarnings("unused") // read through SPINNING
  private volatile boolean spinning;

  private LoopCode code = Interpreter.SHARED;
  private long wanted = ELEMENTS_PER_LOOP;

  SpinPlan() {
    this(BUDGET);
  }

  SpinPlan(PlanBudget budget) {
    this.budget = budget;
  }

  LoopCode code() {
    return code;
  }

  /** Elements have passed; perhaps enough for a loop of its own. */
  void passed(long count, Segment shape) {
    if (wanted == Long.MAX_VALUE) {
      // Nothing is written any more: many threads may run brief pipelines of this plan.
      return;
    }
    pass(count);
    if (elements() < wanted) {
      return;
    }
    if (!Loops.hasStack()) {
      // Not asked again for each strip: to find out costs an exception.
      wanted = elements() + ELEMENTS_PER_LOOP;
    } else {
      spin(shape);
    }
  }

  /**
   * Gets code of its own, unless another is about to, or has. It stays begun once there is code.
   */
  void spin(Segment shape) {
    if (!SPINNING.compareAndSet(this, false, true)) {
      if (code != Interpreter.SHARED) {
        // It was postponed by another while it was made.
        wanted = Long.MAX_VALUE;
      }
      return;
    }
    try {
      LoopCode own = budget.isFull() ? null : Spinner.spin(shape);
      if (own == null) {
        wanted = 4 * elements();
      } else {
        budget.add(own);
        codeChanged();
        code = own;
        wanted = Long.MAX_VALUE;
      }
    } finally {
      spinning = code != Interpreter.SHARED;
    }
  }
}
