package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.internal.plan.PlanBudget;
import dev.blitz.parallel.internal.plan.PlanTuning;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds plans: a walk from the source over the steps to the end, at each by the operation and the
 * class of its function. What is found hangs on those classes and is collected with them.
 *
 * <p>A program that puts its pipelines together at run time may have more shapes than memory. So
 * there is an end to what is remembered; other pipelines have a plan for one run.
 */
/*
 * Implementation notes
 *
 * Orderings: each slot is set once by CAS and read with acquire (AtomicReferenceArray is volatile); a loser takes the
 * winner's. No node refers to the one before it, to a class or to a function. Where a walk has come to FORGOTTEN because
 * there were too many nodes, it does so for as long as that class lives.
 */
final class Shapes {
  private static final int FORMS = Form.values().length;
  private static final int KINDS = Kind.values().length;
  private static final Shapes FORGOTTEN = new Shapes();
  private static final PlanBudget NOTHING = new PlanBudget(0);
  private static final Roots ROOTS = new Roots(PlanTuning.MAX_SHAPES);

  private final AtomicReferenceArray<ByClass<Shapes>> steps =
      new AtomicReferenceArray<>(Op.values().length * KINDS);
  private final AtomicReferenceArray<ByClass<SpinPlan>> endsByClass =
      new AtomicReferenceArray<>(FORMS * KINDS);
  private final AtomicReferenceArray<SpinPlan> ends = new AtomicReferenceArray<>(FORMS * KINDS);

  private Shapes() {}

  /** Where walks begin. */
  static final class Roots {
    private final AtomicReferenceArray<Shapes> bySource =
        new AtomicReferenceArray<>(2 * Source.Form.values().length);
    private final PlanBudget nodes;

    /**
     * No plans yet.
     *
     * @param max nodes that are remembered at a time
     */
    Roots(int max) {
      this.nodes = new PlanBudget(max);
    }

    private Shapes newNode() {
      if (nodes.isFull()) {
        return FORGOTTEN;
      }
      Shapes node = new Shapes();
      nodes.add(node);
      return node;
    }
  }

  private interface Maker<T> {
    T make();
  }

  private static final class ByClass<T> extends ClassValue<T> {
    private final Maker<T> maker;

    ByClass(Maker<T> maker) {
      this.maker = maker;
    }

    @Override
    protected T computeValue(Class<?> type) {
      return maker.make();
    }
  }

  /** The plan for a source, steps (flat ones included) and an end. */
  static SpinPlan find(
      Source source, Step[] steps, Form form, Kind kind, @Nullable Object function) {
    return find(ROOTS, source, steps, form, kind, function);
  }

  /** The same, from roots of one's own. */
  @SuppressWarnings("ReferenceEquality") // there is one such node
  static SpinPlan find(
      Roots roots, Source source, Step[] steps, Form form, Kind kind, @Nullable Object function) {
    boolean strided = source.isStrided();
    for (Step step : steps) {
      Source other = step.other();
      strided |= other != null && other.isStrided();
    }
    Shapes node = get(roots.bySource, 2 * source.form().slot + (strided ? 1 : 0), Shapes::new);
    for (Step step : steps) {
      Source other = step.other();
      int slot = step.op().slot * KINDS + (other == null ? 0 : formSlot(other));
      node =
          get(node.steps, slot, () -> new ByClass<>(roots::newNode))
              .get(step.function().getClass());
      if (node == FORGOTTEN) {
        return new SpinPlan(NOTHING);
      }
    }
    int end = form.slot * KINDS + kind.slot;
    return function == null
        ? get(node.ends, end, SpinPlan::new)
        : get(node.endsByClass, end, () -> new ByClass<>(SpinPlan::new)).get(function.getClass());
  }

  /** What a zip goes through besides the array of its kind: a list, or a range. */
  private static int formSlot(Source other) {
    return switch (other.form()) {
      case INTS, LONGS, DOUBLES, OBJECTS -> 1;
      case LIST -> 2;
      case INT_RANGE, LONG_RANGE -> 3;
    };
  }

  private static <T> T get(AtomicReferenceArray<T> slots, int slot, Maker<T> maker) {
    T known = slots.get(slot);
    if (known == null) {
      T made = maker.make();
      T before = slots.compareAndExchange(slot, null, made);
      known = before == null ? made : before;
    }
    return known;
  }
}
