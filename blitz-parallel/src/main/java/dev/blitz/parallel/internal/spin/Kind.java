package dev.blitz.parallel.internal.spin;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** What travels through a pipeline. */
public enum Kind {
  /** {@code int}. */
  INT(0, TypeKind.INT, int[].class, IntConsumer.class),
  /** {@code long}. */
  LONG(1, TypeKind.LONG, long[].class, LongConsumer.class),
  /** {@code double}. */
  DOUBLE(2, TypeKind.DOUBLE, double[].class, DoubleConsumer.class),
  /** Objects. */
  REF(3, TypeKind.REFERENCE, Object[].class, Consumer.class);

  /** Counts from 0. */
  final int slot;

  final TypeKind type;
  final Class<?> array;
  final Class<?> consumer;

  Kind(int slot, TypeKind type, Class<?> array, Class<?> consumer) {
    this.slot = slot;
    this.type = type;
    this.array = array;
    this.consumer = consumer;
  }

  ClassDesc desc() {
    return this == REF ? ConstantDescs.CD_Object : type.upperBound();
  }

  Object newArray(int length) {
    return switch (this) {
      case INT -> new int[length];
      case LONG -> new long[length];
      case DOUBLE -> new double[length];
      case REF -> new Object[length];
    };
  }
}
