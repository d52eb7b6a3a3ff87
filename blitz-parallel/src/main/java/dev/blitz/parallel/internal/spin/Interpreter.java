package dev.blitz.parallel.internal.spin;

import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
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
import org.jspecify.annotations.Nullable;

/**
 * Runs any shape, one element after the other. Numbers travel as bits, so nothing is boxed. The
 * spinner makes the same of the same table; the tests run every operation through both.
 */
@SuppressWarnings({"unchecked", "NullAway"}) // kinds say which of bits and ref is meant
final class Interpreter extends LoopCode {
  static final Interpreter SHARED = new Interpreter();

  private Interpreter() {}

  @Override
  void run(Segment segment, Cell cell, long from, int count) {
    Source source = segment.source();
    Step[] steps = segment.steps();
    Form form = segment.form();
    if (form == Form.SUM && segment.kind() == Kind.DOUBLE) {
      runLanes(segment, cell, from, count);
      return;
    }
    elements:
    for (long index = from; index < from + count; index++) {
      long bits = bitsOf(source, index);
      Object ref = refOf(source, index);
      for (Step step : steps) {
        Op op = step.op();
        Object f = step.function();
        if (op.isFilter()) {
          if (passes(op.in, f, bits, ref) == op.isReject()) {
            continue elements;
          }
        } else if (op.isZip()) {
          Source other = step.other();
          long otherBits = bitsOf(other, index);
          Object otherRef = refOf(other, index);
          ref =
              op == Op.ZIP_R ? ((BiFunction<Object, Object, Object>) f).apply(ref, otherRef) : ref;
          bits = op == Op.ZIP_R ? bits : combine(op.in, f, bits, otherBits);
        } else if (op.out == Kind.REF) {
          ref = mapToRef(op, f, bits, ref);
        } else {
          bits = mapToBits(op, f, bits, ref);
        }
      }
      end(segment, cell, index, bits, ref);
      if (form == Form.FIRST) {
        return;
      }
    }
  }

  /** What is left out counts as nothing, at its own index. */
  private void runLanes(Segment segment, Cell cell, long from, int count) {
    Cell stored = new Cell();
    double[] all = new double[count];
    stored.out = all;
    // So that index `from` goes to place 0.
    stored.outAt = (int) -from;
    run(
        new Segment(segment.source(), segment.steps(), Form.STORE, Kind.DOUBLE, null),
        stored,
        from,
        count);
    cell.bits = asBits(DoubleChunks.sumOfOne(all, 0, count));
    cell.any = true;
  }

  private static long bitsOf(Source source, long index) {
    long at = source.base() + index * source.stride();
    return switch (source.form()) {
      case INTS -> ((int[]) source.data())[(int) at];
      case LONGS -> ((long[]) source.data())[(int) at];
      case DOUBLES -> Double.doubleToRawLongBits(((double[]) source.data())[(int) at]);
      case INT_RANGE, LONG_RANGE -> at;
      case OBJECTS, LIST -> 0;
    };
  }

  private static @Nullable Object refOf(Source source, long index) {
    int at = (int) (source.base() + index * source.stride());
    return switch (source.form()) {
      case OBJECTS -> ((Object[]) source.data())[at];
      case LIST -> ((List<Object>) source.data()).get(at);
      default -> null;
    };
  }

  private static double asDouble(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private static long asBits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static boolean passes(Kind kind, Object f, long bits, @Nullable Object ref) {
    return switch (kind) {
      case INT -> ((IntPredicate) f).test((int) bits);
      case LONG -> ((LongPredicate) f).test(bits);
      case DOUBLE -> ((DoublePredicate) f).test(asDouble(bits));
      case REF -> ((Predicate<Object>) f).test(ref);
    };
  }

  private static @Nullable Object mapToRef(Op op, Object f, long bits, @Nullable Object ref) {
    return switch (op) {
      case MAP_IR -> ((IntFunction<Object>) f).apply((int) bits);
      case MAP_LR -> ((LongFunction<Object>) f).apply(bits);
      case MAP_DR -> ((DoubleFunction<Object>) f).apply(asDouble(bits));
      default -> ((Function<Object, Object>) f).apply(ref);
    };
  }

  private static long mapToBits(Op op, Object f, long bits, @Nullable Object ref) {
    return switch (op) {
      case MAP_II -> ((IntUnaryOperator) f).applyAsInt((int) bits);
      case MAP_IL -> ((IntToLongFunction) f).applyAsLong((int) bits);
      case MAP_ID -> asBits(((IntToDoubleFunction) f).applyAsDouble((int) bits));
      case MAP_LI -> ((LongToIntFunction) f).applyAsInt(bits);
      case MAP_LL -> ((LongUnaryOperator) f).applyAsLong(bits);
      case MAP_LD -> asBits(((LongToDoubleFunction) f).applyAsDouble(bits));
      case MAP_DI -> ((DoubleToIntFunction) f).applyAsInt(asDouble(bits));
      case MAP_DL -> ((DoubleToLongFunction) f).applyAsLong(asDouble(bits));
      case MAP_DD -> asBits(((DoubleUnaryOperator) f).applyAsDouble(asDouble(bits)));
      case MAP_RI -> ((ToIntFunction<Object>) f).applyAsInt(ref);
      case MAP_RL -> ((ToLongFunction<Object>) f).applyAsLong(ref);
      case MAP_RD -> asBits(((ToDoubleFunction<Object>) f).applyAsDouble(ref));
      default -> throw new IllegalStateException("not a map to a number: " + op);
    };
  }

  /** Two numbers of a kind by the operator of that kind. */
  static long combine(Kind kind, Object f, long left, long right) {
    return switch (kind) {
      case INT -> ((IntBinaryOperator) f).applyAsInt((int) left, (int) right);
      case LONG -> ((LongBinaryOperator) f).applyAsLong(left, right);
      default -> asBits(((DoubleBinaryOperator) f).applyAsDouble(asDouble(left), asDouble(right)));
    };
  }

  static long least(Kind kind, long left, long right) {
    return kind == Kind.DOUBLE
        ? asBits(Math.min(asDouble(left), asDouble(right)))
        : Math.min(left, right);
  }

  static long greatest(Kind kind, long left, long right) {
    return kind == Kind.DOUBLE
        ? asBits(Math.max(asDouble(left), asDouble(right)))
        : Math.max(left, right);
  }

  private static void end(Segment segment, Cell cell, long index, long bits, @Nullable Object ref) {
    Kind kind = segment.kind();
    Object f = segment.function();
    switch (segment.form()) {
      case SUM -> cell.bits += bits;
      case COUNT -> cell.bits++;
      case MIN -> cell.bits = cell.any ? least(kind, cell.bits, bits) : bits;
      case MAX -> cell.bits = cell.any ? greatest(kind, cell.bits, bits) : bits;
      case REDUCE -> {
        if (kind == Kind.REF) {
          cell.ref = cell.any ? ((BiFunction<Object, Object, Object>) f).apply(cell.ref, ref) : ref;
        } else {
          cell.bits = cell.any ? combine(kind, f, cell.bits, bits) : bits;
        }
      }
      case MIN_BY, MAX_BY -> choose(segment, cell, bits, ref);
      case FIRST -> {
        cell.bits = bits;
        cell.ref = ref;
        cell.index = index;
      }
      case EACH -> {
        // The cell is that of what comes after a flat step: only that knows whether anything came.
        accept(kind, f, bits, ref);
        return;
      }
      case FOLD -> fold(kind, f, cell.ref, bits, ref);
      case STORE -> store(kind, cell.out, cell.outAt + (int) index, bits, ref);
      case APPEND -> store(kind, cell.out, cell.outAt++, bits, ref);
    }
    cell.any = true;
  }

  private static void choose(Segment segment, Cell cell, long bits, @Nullable Object ref) {
    Kind kind = segment.kind();
    Op op = Op.key(kind);
    Object f = segment.function();
    long key = op.out == Kind.REF ? 0 : mapToBits(op, f, bits, ref);
    Object keyRef = op.out == Kind.REF ? Objects.requireNonNull(mapToRef(op, f, bits, ref)) : null;
    if (!cell.any || isBetter(segment.form(), kind, key, keyRef, cell)) {
      cell.bits = bits;
      cell.ref = ref;
      cell.key = key;
      cell.keyRef = keyRef;
    }
  }

  /** Whether a key goes before that of what was chosen so far. */
  static boolean isBetter(Form form, Kind kind, long key, @Nullable Object keyRef, Cell chosen) {
    int order =
        switch (kind) {
          case INT, LONG -> Long.compare(key, chosen.key);
          case DOUBLE -> Double.compare(asDouble(key), asDouble(chosen.key));
          case REF -> ((Comparable<Object>) keyRef).compareTo(chosen.keyRef);
        };
    return form == Form.MIN_BY ? order < 0 : order > 0;
  }

  private static void accept(Kind kind, Object f, long bits, @Nullable Object ref) {
    switch (kind) {
      case INT -> ((IntConsumer) f).accept((int) bits);
      case LONG -> ((LongConsumer) f).accept(bits);
      case DOUBLE -> ((DoubleConsumer) f).accept(asDouble(bits));
      case REF -> ((Consumer<Object>) f).accept(ref);
    }
  }

  private static void fold(
      Kind kind, Object f, @Nullable Object container, long bits, @Nullable Object ref) {
    switch (kind) {
      case INT -> ((ObjIntConsumer<Object>) f).accept(container, (int) bits);
      case LONG -> ((ObjLongConsumer<Object>) f).accept(container, bits);
      case DOUBLE -> ((ObjDoubleConsumer<Object>) f).accept(container, asDouble(bits));
      case REF -> ((BiConsumer<Object, Object>) f).accept(container, ref);
    }
  }

  private static void store(Kind kind, Object out, int at, long bits, @Nullable Object ref) {
    switch (kind) {
      case INT -> ((int[]) out)[at] = (int) bits;
      case LONG -> ((long[]) out)[at] = bits;
      case DOUBLE -> ((double[]) out)[at] = asDouble(bits);
      case REF -> ((Object[]) out)[at] = ref;
    }
  }
}
