package dev.blitz.parallel.internal.spin;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * What a step can be: from which kind to which, by which method of which interface. The interpreter
 * and the spinner both go by this table. Their names begin with what they are.
 */
public enum Op {
  MAP_II(Kind.INT, Kind.INT, IntUnaryOperator.class, "applyAsInt"),
  MAP_IL(Kind.INT, Kind.LONG, IntToLongFunction.class, "applyAsLong"),
  MAP_ID(Kind.INT, Kind.DOUBLE, IntToDoubleFunction.class, "applyAsDouble"),
  MAP_IR(Kind.INT, Kind.REF, IntFunction.class, "apply"),
  MAP_LI(Kind.LONG, Kind.INT, LongToIntFunction.class, "applyAsInt"),
  MAP_LL(Kind.LONG, Kind.LONG, LongUnaryOperator.class, "applyAsLong"),
  MAP_LD(Kind.LONG, Kind.DOUBLE, LongToDoubleFunction.class, "applyAsDouble"),
  MAP_LR(Kind.LONG, Kind.REF, LongFunction.class, "apply"),
  MAP_DI(Kind.DOUBLE, Kind.INT, DoubleToIntFunction.class, "applyAsInt"),
  MAP_DL(Kind.DOUBLE, Kind.LONG, DoubleToLongFunction.class, "applyAsLong"),
  MAP_DD(Kind.DOUBLE, Kind.DOUBLE, DoubleUnaryOperator.class, "applyAsDouble"),
  MAP_DR(Kind.DOUBLE, Kind.REF, DoubleFunction.class, "apply"),
  MAP_RI(Kind.REF, Kind.INT, ToIntFunction.class, "applyAsInt"),
  MAP_RL(Kind.REF, Kind.LONG, ToLongFunction.class, "applyAsLong"),
  MAP_RD(Kind.REF, Kind.DOUBLE, ToDoubleFunction.class, "applyAsDouble"),
  MAP_RR(Kind.REF, Kind.REF, Function.class, "apply"),
  FILTER_I(Kind.INT, Kind.INT, IntPredicate.class, "test"),
  FILTER_L(Kind.LONG, Kind.LONG, LongPredicate.class, "test"),
  FILTER_D(Kind.DOUBLE, Kind.DOUBLE, DoublePredicate.class, "test"),
  FILTER_R(Kind.REF, Kind.REF, Predicate.class, "test"),
  REJECT_I(Kind.INT, Kind.INT, IntPredicate.class, "test"),
  REJECT_L(Kind.LONG, Kind.LONG, LongPredicate.class, "test"),
  REJECT_D(Kind.DOUBLE, Kind.DOUBLE, DoublePredicate.class, "test"),
  REJECT_R(Kind.REF, Kind.REF, Predicate.class, "test"),
  ZIP_I(Kind.INT, Kind.INT, IntBinaryOperator.class, "applyAsInt"),
  ZIP_L(Kind.LONG, Kind.LONG, LongBinaryOperator.class, "applyAsLong"),
  ZIP_D(Kind.DOUBLE, Kind.DOUBLE, DoubleBinaryOperator.class, "applyAsDouble"),
  ZIP_R(Kind.REF, Kind.REF, BiFunction.class, "apply"),
  /** Any number for each; never part of a loop, which ends before it. */
  FLAT(Kind.REF, Kind.REF, Flattener.class, "flatten");

  /** The number of operations so far; an enum's constructor cannot count in the enum. */
  private static final class Count {
    static int operations;
  }

  private enum Role {
    MAP,
    FILTER,
    REJECT,
    ZIP,
    FLAT
  }

  /** Counts from 0. */
  final int slot;

  final Kind in;
  final Kind out;
  final Class<?> owner;
  final String method;
  private final Role role;

  Op(Kind in, Kind out, Class<?> owner, String method) {
    this.slot = Count.operations++;
    this.role = Role.valueOf(name().replaceAll("_.*", ""));
    this.in = in;
    this.out = out;
    this.owner = owner;
    this.method = method;
  }

  private static Op find(Role role, Kind in, Kind out) {
    for (Op op : values()) {
      if (op.role == role && op.in == in && op.out == out) {
        return op;
      }
    }
    throw new IllegalArgumentException(role + " from " + in + " to " + out);
  }

  /**
   * The map between two kinds.
   *
   * @param in from
   * @param out to
   */
  public static Op map(Kind in, Kind out) {
    return find(Role.MAP, in, out);
  }

  /**
   * The filter of a kind.
   *
   * @param kind of what
   */
  public static Op filter(Kind kind) {
    return find(Role.FILTER, kind, kind);
  }

  /**
   * The filter that lets pass what fails the predicate. Its own operation, because a negated
   * predicate is of one class whatever it negates.
   *
   * @param kind of what
   */
  public static Op reject(Kind kind) {
    return find(Role.REJECT, kind, kind);
  }

  /**
   * The zip of a kind; its interface is also that of a reduction.
   *
   * @param kind of what
   */
  public static Op zip(Kind kind) {
    return find(Role.ZIP, kind, kind);
  }

  /** The map from an element to the key it is chosen by. */
  static Op key(Kind kind) {
    return switch (kind) {
      case INT -> MAP_IL;
      case LONG -> MAP_LL;
      case DOUBLE -> MAP_DD;
      case REF -> MAP_RR;
    };
  }

  boolean isFilter() {
    return role == Role.FILTER || role == Role.REJECT;
  }

  boolean isReject() {
    return role == Role.REJECT;
  }

  boolean isZip() {
    return role == Role.ZIP;
  }

  /** One element per index before means one after. */
  boolean keepsIndices() {
    return this != FLAT && !isFilter();
  }

  MethodTypeDesc type() {
    ClassDesc result = isFilter() ? ConstantDescs.CD_boolean : out.desc();
    return isZip()
        ? MethodTypeDesc.of(result, in.desc(), in.desc())
        : MethodTypeDesc.of(result, in.desc());
  }
}
