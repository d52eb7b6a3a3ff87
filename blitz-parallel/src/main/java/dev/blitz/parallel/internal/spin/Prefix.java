package dev.blitz.parallel.internal.spin;

import java.lang.reflect.Array;
import java.util.function.DoublePredicate;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The first elements of a pipeline whose elements have no indices: it is run in rounds that grow,
 * so that few elements of a long source cost little.
 */
final class Prefix {
  private static final long FIRST_ROUND = 1024;

  private final Where where;
  private final Kind kind;
  private final Cut cut;
  private Object kept;
  private int count;
  private boolean done;

  /** How many of some more elements are wanted; less than all: no more. */
  private interface Cut {
    int wanted(Object array, int length);
  }

  private Prefix(Where where, Kind kind, Cut cut) {
    this.where = where;
    this.kind = kind;
    this.cut = cut;
    this.kept = kind.newArray(0);
  }

  static Pipe limit(Pipe pipe, Where where, long limit) {
    var prefix = new Prefix(where, pipe.kind(), (array, length) -> length);
    prefix.limit = limit;
    return prefix.of(pipe);
  }

  static Pipe takeWhile(Pipe pipe, Where where, Object predicate) {
    Kind kind = pipe.kind();
    return new Prefix(
            where,
            kind,
            (array, length) -> where.call(() -> passing(kind, array, length, predicate)))
        .of(pipe);
  }

  private long limit = Long.MAX_VALUE;

  private Pipe of(Pipe pipe) {
    done = limit == 0;
    run(pipe);
    return Pipe.of(Source.ofArray(kind, kept, count));
  }

  private void run(Pipe unresolved) {
    if (done) {
      return; // to resolve another part may be to sort it
    }
    Pipe pipe = unresolved.resolved(where);
    Pipe[] parts = pipe.parts();
    if (parts != null) {
      for (Pipe part : parts) {
        run(part.thenAll(pipe.steps(), kind));
      }
      return;
    }
    long size = pipe.size();
    long round = FIRST_ROUND;
    for (long from = 0; from < size && !done; ) {
      long to = from + Math.min(round, size - from);
      add(Ends.toArray(pipe.slice(from, to), where));
      from = to;
      round *= 2;
    }
  }

  private void add(Object array) {
    int length = (int) Math.min(Array.getLength(array), limit - count);
    int wanted = cut.wanted(array, length);
    if (count == 0) {
      kept = array;
    } else {
      makeRoom(Ends.checkedSize((long) count + wanted));
      System.arraycopy(array, 0, kept, count, wanted);
    }
    count += wanted;
    done = wanted < length || count == limit;
  }

  /** Half as much again, so that many short parts are not copied for each other. */
  private void makeRoom(int needed) {
    int room = Array.getLength(kept);
    if (needed > room) {
      long roomy = Math.min(room + room / 2L, Integer.MAX_VALUE - 8);
      Object longer = kind.newArray((int) Math.max(needed, roomy));
      System.arraycopy(kept, 0, longer, 0, count);
      kept = longer;
    }
  }

  @SuppressWarnings("unchecked") // a predicate of this kind
  private static int passing(Kind kind, Object array, int length, Object predicate) {
    int n = 0;
    switch (kind) {
      case INT -> {
        int[] a = (int[]) array;
        while (n < length && ((IntPredicate) predicate).test(a[n])) {
          n++;
        }
      }
      case LONG -> {
        long[] a = (long[]) array;
        while (n < length && ((LongPredicate) predicate).test(a[n])) {
          n++;
        }
      }
      case DOUBLE -> {
        double[] a = (double[]) array;
        while (n < length && ((DoublePredicate) predicate).test(a[n])) {
          n++;
        }
      }
      case REF -> {
        Object[] a = (Object[]) array;
        while (n < length && ((Predicate<Object>) predicate).test(a[n])) {
          n++;
        }
      }
    }
    return n;
  }
}
