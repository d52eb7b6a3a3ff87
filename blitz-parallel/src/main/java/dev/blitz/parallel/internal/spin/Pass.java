package dev.blitz.parallel.internal.spin;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A source, all steps and an end, ready to run. If there is a flat map, the loop ends at it, and
 * calls for each element the pass of what comes after.
 */
final class Pass {
  /** Elements between two looks at whether to stop, if they may be dear. */
  private static final int STRIP = 1024;

  /** And if they have been cheap: each strip is a call, with a start and an end of its own. */
  private static final int LONG_STRIP = 1 << 15;

  /** An element that has cost less is cheap: a long strip of them takes some ten microseconds. */
  private static final double CHEAP_NANOS = 2;

  /** Room that is made before it is needed: that for a block of usual size. */
  private static final int MOST_EXPECTED = 1 << 13;

  final SpinPlan plan;
  private final Where where;
  private final Step[] steps;
  private final Form form;
  private final Kind kind;
  private final @Nullable Object function;
  private final int flat;
  private final Segment segment;

  Pass(Where where, Source source, Step[] steps, Form form, Kind kind, @Nullable Object function) {
    this(
        Shapes.find(source, steps, form, kind, function),
        where,
        source,
        steps,
        form,
        kind,
        function);
  }

  /** With the plan that was found for the rest. */
  Pass(
      SpinPlan plan,
      Where where,
      Source source,
      Step[] steps,
      Form form,
      Kind kind,
      @Nullable Object function) {
    this.plan = plan;
    this.where = where;
    this.steps = steps;
    this.form = form;
    this.kind = kind;
    this.function = function;
    this.flat = firstFlat(steps);
    if (flat < 0) {
      this.segment = new Segment(source, steps, form, kind, function);
    } else {
      Kind before = flat == 0 ? source.form().kind : steps[flat - 1].op().out;
      this.segment =
          new Segment(source, Arrays.copyOf(steps, flat), Form.EACH, before, steps[flat]);
    }
  }

  /** The index of the first flat step; -1: there is none. */
  static int firstFlat(Step[] steps) {
    for (int i = 0; i < steps.length; i++) {
      if (steps[i].op() == Op.FLAT) {
        return i;
      }
    }
    return -1;
  }

  boolean isFlat() {
    return flat >= 0;
  }

  /**
   * What {@link #strip} runs for this cell; {@code isOver} is asked while elements are flattened.
   */
  Segment bind(Cell cell, BooleanSupplier isOver) {
    return flat < 0 ? segment : segment.withFunction(new Inner(cell, isOver).consumer());
  }

  /** The same where there is no flat step. */
  Segment unflattened() {
    return segment;
  }

  /** Elements between two looks at whether to stop. */
  int stripLength() {
    return plan.nanosPerElement() < CHEAP_NANOS ? LONG_STRIP : STRIP;
  }

  /** Runs some elements. */
  void strip(Segment bound, Cell cell, long from, int count) {
    if (flat < 0) {
      runStrip(plan, bound, cell, from, count);
    } else {
      plan.code().run(bound, cell, from, count);
      plan.passed(count, bound);
    }
  }

  /** The same where there is no flat step. */
  static void runStrip(SpinPlan plan, Segment segment, Cell cell, long from, int count) {
    if (segment.form() == Form.APPEND) {
      // Does nothing where there is room for one element per index.
      reserve(segment.kind(), cell, count);
    }
    plan.code().run(segment, cell, from, count);
    plan.passed(count, segment);
  }

  /** Makes room for as many elements as a block can yield, if that is known and not too many. */
  void expect(Cell cell, long count) {
    if (form == Form.APPEND && flat < 0) {
      reserve(kind, cell, (int) Math.min(count, MOST_EXPECTED));
    }
  }

  private static void reserve(Kind kind, Cell cell, int count) {
    Object out = cell.out;
    if (out == null) {
      cell.out = kind.newArray(count);
    } else {
      int length = Array.getLength(out);
      int needed = cell.outAt + count;
      if (needed > length) {
        Object larger = kind.newArray(Math.max(needed, 2 * length));
        System.arraycopy(out, 0, larger, 0, cell.outAt);
        cell.out = larger;
      }
    }
  }

  private boolean isDone(Cell cell) {
    return form == Form.FIRST && cell.any;
  }

  /**
   * Takes each element of the flat step's pipelines through the steps that follow. One element may
   * yield any number: whether all is over is asked as often as in a plain loop.
   */
  private final class Inner {
    private final Cell cell;
    private final BooleanSupplier isOver;
    private final Flattener flattener;
    private final Step[] rest;

    Inner(Cell cell, BooleanSupplier isOver) {
      this.cell = cell;
      this.isOver = isOver;
      this.flattener = Objects.requireNonNull(steps[flat].flattener());
      this.rest = Arrays.copyOfRange(steps, flat + 1, steps.length);
    }

    /** What the loop before the flat step hands its elements to. */
    Object consumer() {
      return switch (segment.kind()) {
        case INT -> (IntConsumer) x -> flatten(x, cell);
        case LONG -> (LongConsumer) x -> flatten(x, cell);
        case DOUBLE -> (DoubleConsumer) x -> flatten(Double.doubleToRawLongBits(x), cell);
        case REF -> (Consumer<Object>) x -> flatten(0, x);
      };
    }

    private void flatten(long bits, Object ref) {
      if (!isDone(cell) && !isOver.getAsBoolean()) {
        run(Objects.requireNonNull(flattener.flatten(bits, ref), "flatMap yielded null"), rest);
      }
    }

    private void run(Pipe inner, Step[] after) {
      Pipe pipe = inner.resolved(where);
      Step[] all = Pipe.joined(pipe.steps(), after);
      Pipe[] parts = pipe.parts();
      if (parts != null) {
        for (Pipe part : parts) {
          if (isDone(cell) || isOver.getAsBoolean()) {
            return;
          }
          run(part, all);
        }
        return;
      }
      Pass pass = new Pass(where, pipe.source(), all, form, kind, function);
      Segment bound = pass.bind(cell, isOver);
      long size = pipe.size();
      long next = 0;
      while (next < size && !isDone(cell) && !(next > 0 && isOver.getAsBoolean())) {
        int count = (int) Math.min(pass.stripLength(), size - next);
        pass.strip(bound, cell, next, count);
        next += count;
      }
    }
  }
}
