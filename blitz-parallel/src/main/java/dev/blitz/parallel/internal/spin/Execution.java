package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.internal.BlockLoop;
import dev.blitz.parallel.internal.Fields;
import dev.blitz.parallel.internal.plan.Cost;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of a pipeline over a source: a cell per block, combined in the order of indices. */
/*
 * Implementation notes
 *
 * Orderings: found is volatile, lowered by CAS by whoever finds and read by all between strips. It only says where to stop; what
 * was found travels in cells, through forks.
 */
final class Execution extends BlockLoop<Cell> {
  private static final VarHandle FOUND = Fields.of(MethodHandles.lookup(), "found", long.class);

  private static final Ending SUM = new Ending(Form.SUM, null);
  private static final Ending COUNT = new Ending(Form.COUNT, null);

  private final Pass pass;
  private final Ending ending;

  /** The least index at which a search has found something. */
  private volatile long found = Long.MAX_VALUE;

  /**
   * The end of a pipeline.
   *
   * @param form what it does
   * @param function the user's, if any
   * @param target the array for {@link Form#STORE}; for {@link Form#APPEND} one as long as the
   *     source, if memory allows
   * @param container makes one for {@link Form#FOLD}
   * @param combiner of containers
   * @param any for {@link Form#FIRST}: another will do as well
   */
  record Ending(
      Form form,
      @Nullable Object function,
      @Nullable Object target,
      @Nullable Supplier<?> container,
      @Nullable BinaryOperator<Object> combiner,
      boolean any) {
    Ending(Form form, @Nullable Object function) {
      this(form, function, null, null, null, false);
    }

    /** With nothing but perhaps a function. */
    static Ending of(Form form, @Nullable Object function) {
      return switch (form) {
        case SUM -> SUM;
        case COUNT -> COUNT;
        default -> new Ending(form, function);
      };
    }
  }

  private final Kind kind;

  private Execution(Where where, Kind kind, Ending ending, Pass pass) {
    super(where.home(), where.options(), pass.plan);
    this.kind = kind;
    this.ending = ending;
    this.pass = pass;
  }

  /** Runs a pipeline to its end. */
  static @Nullable Cell run(Pipe pipe, Where where, Ending ending) {
    Pipe ready = pipe.resolved(where);
    Pipe[] parts = ready.parts();
    if (parts == null) {
      return runOne(ready, where, ending);
    }
    Cell all = null;
    for (Pipe part : parts) {
      Cell cell = run(part.thenAll(ready.steps(), ready.kind()), where, ending);
      if (cell != null) {
        Cell before = all;
        all = before == null ? cell : where.call(() -> combine(ready.kind(), ending, before, cell));
        if (ending.form() == Form.FIRST && all.any) {
          return all;
        }
      }
    }
    return all;
  }

  /** What is over at once is one strip, and needs no objects but its own. */
  private static @Nullable Cell runOne(Pipe pipe, Where where, Ending ending) {
    Source source = pipe.source();
    Step[] steps = pipe.steps();
    Form form = ending.form();
    Kind kind = pipe.kind();
    SpinPlan plan = Shapes.find(source, steps, form, kind, ending.function());
    long size = source.size();
    if (size > 0
        && isBriefHere(where.home(), where.options(), plan, size)
        && Pass.firstFlat(steps) < 0) {
      check(where.options());
      if (!Cost.isSampled(size)) {
        Cell cell = fresh(ending);
        Segment segment = new Segment(source, steps, form, kind, ending.function());
        Pass.runStrip(plan, segment, cell, 0, (int) size);
        return cell;
      }
      return execution(pipe, where, ending, plan).runMeasured(size);
    }
    return execution(pipe, where, ending, plan).run(size);
  }

  private static Execution execution(Pipe pipe, Where where, Ending ending, SpinPlan plan) {
    Pass pass =
        new Pass(
            plan,
            where,
            pipe.source(),
            pipe.steps(),
            ending.form(),
            pipe.kind(),
            ending.function());
    return new Execution(where, pipe.kind(), ending, pass);
  }

  @Override
  protected Cell runBlock(long from, long to) {
    Cell cell = fresh(ending);
    if (appendsToTarget()) {
      cell.outFrom = (int) from;
      cell.outAt = (int) from;
    }
    return runBlock(cell, from, to);
  }

  /** What is appended goes into one array for all, of each piece from its first index on. */
  private boolean appendsToTarget() {
    return ending.form() == Form.APPEND && ending.target() != null;
  }

  /** One container per thread and piece, not per block; but arrays that grow stay short. */
  @Override
  protected @Nullable Cell continueBlock(@Nullable Cell before, long from, long to) {
    return before == null || (ending.form() == Form.APPEND && !appendsToTarget())
        ? super.continueBlock(before, from, to)
        : runBlock(before, from, to);
  }

  private Cell runBlock(Cell cell, long from, long to) {
    if (!appendsToTarget()) {
      pass.expect(cell, to - from);
    }
    Segment bound =
        pass.isFlat() ? pass.bind(cell, () -> mustStop() || isPast(from)) : pass.unflattened();
    long next = from;
    while (true) {
      int count = (int) Math.min(pass.stripLength(), to - next);
      pass.strip(bound, cell, next, count);
      if (ending.form() == Form.FIRST && cell.any) {
        lowerFound(next);
        return cell;
      }
      next += count;
      if (next >= to || mustStop() || isPast(next)) {
        return cell;
      }
    }
  }

  private void lowerFound(long index) {
    long known = found;
    while (index < known && !FOUND.compareAndSet(this, known, index)) {
      known = found;
    }
  }

  static Cell fresh(Ending ending) {
    Cell cell = new Cell();
    cell.out = ending.target();
    Supplier<?> container = ending.container();
    if (container != null) {
      cell.ref = Objects.requireNonNull(container.get(), "a container was null");
    }
    return cell;
  }

  @Override
  protected boolean isPast(long index) {
    long least = found;
    return least != Long.MAX_VALUE && (ending.any() || index > least);
  }

  @Override
  protected Cell combine(Cell left, Cell right) {
    return combine(kind, ending, left, right);
  }

  /** Into the left cell. */
  @SuppressWarnings({"unchecked", "NullAway"}) // functions are of the kind; values are present
  static Cell combine(Kind kind, Ending ending, Cell left, Cell right) {
    switch (ending.form()) {
      case SUM, COUNT -> left.bits += right.bits;
      case FOLD ->
          left.ref =
              Objects.requireNonNull(
                  ending.combiner().apply(left.ref, right.ref), "the combiner yielded null");
      case APPEND -> {
        left.last.next = right;
        left.last = right.last;
      }
      case EACH, STORE -> {}
      default -> {
        if (!left.any) {
          return right;
        }
        if (right.any) {
          switch (ending.form()) {
            case MIN_BY, MAX_BY -> {
              if (Interpreter.isBetter(ending.form(), kind, right.key, right.keyRef, left)) {
                return right;
              }
            }
            case MIN -> left.bits = Interpreter.least(kind, left.bits, right.bits);
            case MAX -> left.bits = Interpreter.greatest(kind, left.bits, right.bits);
            case REDUCE -> {
              Object f = ending.function();
              if (kind == Kind.REF) {
                left.ref = ((BiFunction<Object, Object, Object>) f).apply(left.ref, right.ref);
              } else {
                left.bits = Interpreter.combine(kind, f, left.bits, right.bits);
              }
            }
            default -> {}
          }
        }
      }
    }
    return left;
  }
}
