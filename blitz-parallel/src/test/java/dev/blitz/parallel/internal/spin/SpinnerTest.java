package dev.blitz.parallel.internal.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.RandomAccess;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** A spun loop does what the interpreter does: every source, every operation, every end. */
@Strict
class SpinnerTest {
  private static final int SIZE = 60;

  private final Random random = new Random(42);
  private final List<Object> seen = new ArrayList<>();

  private Source source(Source.Form form) {
    Object data =
        switch (form) {
          case INTS -> random.ints(SIZE, -50, 50).toArray();
          case LONGS -> random.longs(SIZE, -50, 50).toArray();
          case DOUBLES -> random.doubles(SIZE, -5, 5).toArray();
          case OBJECTS -> random.ints(SIZE, -50, 50).boxed().toArray();
          case LIST -> new ArrayList<Object>(random.ints(SIZE, -50, 50).boxed().toList());
          case INT_RANGE, LONG_RANGE -> this;
        };
    return new Source(form, data, 0, 1, SIZE);
  }

  private <T> T one(T[] all) {
    return List.of(all).get(random.nextInt(all.length));
  }

  private static int number(Object x) {
    return ((Number) x).intValue();
  }

  private static Object function(Op op) {
    return switch (op) {
      case MAP_II -> (IntUnaryOperator) x -> x * 3 + 1;
      case MAP_IL -> (IntToLongFunction) x -> x * 5L;
      case MAP_ID -> (IntToDoubleFunction) x -> x / 4.0;
      case MAP_IR -> (IntFunction<Object>) x -> x + 7;
      case MAP_LI -> (LongToIntFunction) x -> (int) (x ^ 5);
      case MAP_LL -> (LongUnaryOperator) x -> x * 7 - 3;
      case MAP_LD -> (LongToDoubleFunction) x -> x / 8.0;
      case MAP_LR -> (LongFunction<Object>) x -> x - 2;
      case MAP_DI -> (DoubleToIntFunction) x -> (int) (x * 10);
      case MAP_DL -> (DoubleToLongFunction) x -> (long) (x * 100);
      case MAP_DD -> (DoubleUnaryOperator) x -> x * 1.5;
      case MAP_DR -> (DoubleFunction<Object>) x -> x + 0.25;
      case MAP_RI -> (ToIntFunction<Object>) x -> number(x) + 1;
      case MAP_RL -> (ToLongFunction<Object>) x -> number(x) * 3L;
      case MAP_RD -> (ToDoubleFunction<Object>) x -> number(x) / 2.0;
      case MAP_RR -> (Function<Object, Object>) x -> number(x) + 100;
      case FILTER_I, REJECT_I -> (IntPredicate) x -> (x & 1) == 0;
      case FILTER_L, REJECT_L -> (LongPredicate) x -> x % 3 == 0;
      case FILTER_D, REJECT_D -> (DoublePredicate) x -> x > 0.5;
      case FILTER_R, REJECT_R -> (Predicate<Object>) x -> number(x) > 3;
      case ZIP_I -> (IntBinaryOperator) (x, y) -> x * 31 + y;
      case ZIP_L -> (LongBinaryOperator) (x, y) -> x * 37 + y;
      case ZIP_D -> (DoubleBinaryOperator) (x, y) -> x * 2 + y;
      case ZIP_R -> (BiFunction<Object, Object, Object>) (x, y) -> number(x) * 3 + number(y);
      case FLAT -> throw new AssertionError("never spun");
    };
  }

  private Object endFunction(Form form, Kind kind) {
    return switch (form) {
      case REDUCE ->
          switch (kind) {
            case INT -> (IntBinaryOperator) (x, y) -> x * 3 + y;
            case LONG -> (LongBinaryOperator) (x, y) -> x * 3 + y;
            case DOUBLE -> (DoubleBinaryOperator) (x, y) -> x / 2 + y;
            case REF -> (BinaryOperator<Object>) (x, y) -> number(x) * 3 + number(y);
          };
      case MIN_BY, MAX_BY ->
          switch (kind) {
            case INT -> (IntToLongFunction) x -> x % 7;
            case LONG -> (LongUnaryOperator) x -> x % 7;
            case DOUBLE -> (DoubleUnaryOperator) x -> Math.rint(x);
            case REF -> (Function<Object, Integer>) x -> number(x) % 7;
          };
      case EACH ->
          switch (kind) {
            case INT -> (IntConsumer) seen::add;
            case LONG -> (LongConsumer) seen::add;
            case DOUBLE -> (DoubleConsumer) seen::add;
            case REF -> (Consumer<Object>) seen::add;
          };
      case FOLD ->
          switch (kind) {
            case INT -> (ObjIntConsumer<List<Object>>) List::add;
            case LONG -> (ObjLongConsumer<List<Object>>) List::add;
            case DOUBLE -> (ObjDoubleConsumer<List<Object>>) List::add;
            case REF -> (BiConsumer<List<Object>, Object>) List::add;
          };
      default -> null;
    };
  }

  private String outcome(LoopCode code, Segment segment) {
    seen.clear();
    Cell cell = new Cell();
    cell.out = segment.kind().newArray(SIZE);
    if (segment.form() == Form.FOLD) {
      cell.ref = new ArrayList<>();
    }
    int size = (int) segment.source().size();
    for (int from = 0; from < size; from += 13) {
      // As a caller does: what was found ends it.
      if (segment.form() != Form.FIRST || !cell.any) {
        code.run(segment, cell, from, Math.min(13, size - from));
      }
    }
    Object out = cell.out;
    String stored =
        switch (segment.kind()) {
          case INT -> Arrays.toString((int[]) out);
          case LONG -> Arrays.toString((long[]) out);
          case DOUBLE -> Arrays.toString((double[]) out);
          case REF -> Arrays.toString((Object[]) out);
        };
    boolean hasValue =
        switch (segment.form()) {
          case MIN, MAX, MIN_BY, MAX_BY, REDUCE, FIRST -> cell.any;
          default -> true;
        };
    Object ref = segment.kind() == Kind.REF || segment.form() == Form.FOLD ? cell.ref : null;
    // What of a number is left over beside an object means nothing.
    boolean number = segment.kind() != Kind.REF || segment.form() == Form.COUNT;
    return (hasValue ? (number ? cell.bits : 0) + " " + ref + " " + cell.index : "none")
        + " "
        + cell.key
        + cell.keyRef
        + " "
        + cell.outAt
        + stored
        + seen;
  }

  private void check(Segment segment) {
    LoopCode spun = Spinner.spin(segment);
    assertThat(spun).isNotNull();
    assertThat(spun.getClass().isHidden()).isTrue();
    assertThat(outcome(spun, segment)).isEqualTo(outcome(Interpreter.SHARED, segment));
  }

  private static boolean fits(Form form, Kind kind) {
    return switch (form) {
      case SUM -> kind != Kind.REF;
      case MIN, MAX -> kind != Kind.REF;
      default -> true;
    };
  }

  @Test
  void everySourceAndEnd_withoutSteps() {
    for (Source.Form form : Source.Form.values()) {
      Source plain = source(form);
      for (Source source : List.of(plain, plain.reversed(), plain.slice(5, 50).stepBy(3))) {
        for (Form end : Form.values()) {
          Kind kind = form.kind;
          if (fits(end, kind)) {
            check(new Segment(source, new Step[0], end, kind, endFunction(end, kind)));
          }
        }
      }
    }
  }

  private Step step(Op op, Source with) {
    Source other = op.isZip() ? source(Source.Form.ofArray(op.in)) : null;
    if (other != null && with.isStrided()) {
      other = other.reversed();
    }
    return new Step(op, function(op), other);
  }

  @Test
  void everyStep_beforeEveryEnd() {
    for (Op op : Op.values()) {
      if (op != Op.FLAT) {
        Source plain = source(Source.Form.ofArray(op.in));
        for (Source source : List.of(plain, plain.reversed())) {
          for (Form end : Form.values()) {
            if (fits(end, op.out)) {
              Step[] steps = {step(op, source)};
              check(new Segment(source, steps, end, op.out, endFunction(end, op.out)));
            }
          }
        }
      }
    }
  }

  @Test
  void randomChains() {
    for (int round = 0; round < 300; round++) {
      Source source = source(one(Source.Form.values()));
      if (random.nextInt(4) == 0) {
        source = source.reversed();
      }
      Kind kind = source.form().kind;
      Step[] steps = new Step[random.nextInt(7)];
      for (int i = 0; i < steps.length; i++) {
        Op op =
            switch (random.nextInt(4)) {
              case 0 -> Op.filter(kind);
              case 1 -> random.nextBoolean() ? Op.zip(kind) : Op.reject(kind);
              default -> Op.map(kind, one(Kind.values()));
            };
        steps[i] = step(op, source);
        kind = op.out;
      }
      Form end = one(Form.values());
      if (fits(end, kind)) {
        check(new Segment(source, steps, end, kind, endFunction(end, kind)));
      }
    }
  }

  /** Below some bound a loop of its own is used, which must not be entered beyond it. */
  @Test
  void everyEnd_aroundTheBoundsOfNarrowLoops() {
    Object list = new Endless();
    for (Form end : Form.values()) {
      for (long from : new long[] {-30, 0, (1 << 24) - 30, 1 << 24, Integer.MAX_VALUE - SIZE}) {
        if (fits(end, Kind.INT)) {
          Source range = new Source(Source.Form.INT_RANGE, this, from, 1, SIZE);
          check(new Segment(range, new Step[0], end, Kind.INT, endFunction(end, Kind.INT)));
          Step[] filtered = {step(Op.FILTER_I, range)};
          check(new Segment(range, filtered, end, Kind.INT, endFunction(end, Kind.INT)));
          Step[] widened = {step(Op.MAP_IL, range)};
          check(new Segment(range, widened, end, Kind.LONG, endFunction(end, Kind.LONG)));
        }
      }
      for (long from : new long[] {0, (1 << 30) - 30, 1 << 30, Integer.MAX_VALUE - SIZE}) {
        if (fits(end, Kind.REF)) {
          Source far = new Source(Source.Form.LIST, list, from, 1, SIZE);
          check(new Segment(far, new Step[0], end, Kind.REF, endFunction(end, Kind.REF)));
        }
      }
    }
  }

  /** As long as a list can be, without its memory. */
  private static final class Endless extends AbstractList<Object> implements RandomAccess {
    @Override
    public Object get(int index) {
      return index % 101 - 50;
    }

    @Override
    public int size() {
      return Integer.MAX_VALUE;
    }
  }
}
