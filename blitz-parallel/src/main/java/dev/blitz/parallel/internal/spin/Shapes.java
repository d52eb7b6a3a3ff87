package dev.blitz.parallel.internal.spin;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds plans: a walk from the source over the steps to the end, at each by the operation and the
 * class of its function. What is found hangs on those classes and is collected with them.
 */
/*
 * Implementation notes
 *
 * Orderings: each slot is set once by CAS and read with acquire (AtomicReferenceArray is volatile); a loser takes the
 * winner's. No node refers to the one before it, to a class or to a function.
 */
final class Shapes {
  private static final int FORMS = Form.values().length;
  private static final int KINDS = Kind.values().length;
  private static final AtomicReferenceArray<Shapes> ROOTS =
      new AtomicReferenceArray<>(2 * Source.Form.values().length);

  private final AtomicReferenceArray<ByClass<Shapes>> steps =
      new AtomicReferenceArray<>(Op.values().length * KINDS);
  private final AtomicReferenceArray<ByClass<SpinPlan>> endsByClass =
      new AtomicReferenceArray<>(FORMS * KINDS);
  private final AtomicReferenceArray<SpinPlan> ends = new AtomicReferenceArray<>(FORMS * KINDS);

  private Shapes() {}

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
    boolean strided = source.isStrided();
    for (Step step : steps) {
      Source other = step.other();
      strided |= other != null && other.isStrided();
    }
    Shapes node = get(ROOTS, 2 * source.form().slot + (strided ? 1 : 0), Shapes::new);
    for (Step step : steps) {
      Source other = step.other();
      int slot = step.op().slot * KINDS + (other == null ? 0 : formSlot(other));
      node =
          get(node.steps, slot, () -> new ByClass<>(Shapes::new)).get(step.function().getClass());
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
