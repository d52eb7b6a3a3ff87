package dev.blitz.parallel.internal.sort;

import dev.blitz.parallel.internal.Loops;
import dev.blitz.parallel.internal.plan.Plan;
import dev.blitz.parallel.internal.plan.Plans;
import dev.blitz.parallel.internal.plan.Template;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Sorts objects, with code of its own for comparators through which enough has passed. */
public final class ObjectSort {
  private static final Plans<StableCode> STABLE = plans(new StableCode.Loop());
  private static final Plans<UnstableCode> UNSTABLE = plans(new UnstableCode.Loop());

  private ObjectSort() {}

  private static <L> Plans<L> plans(L shared) {
    return new Plans<>(new Template<>(MethodHandles.lookup(), shared));
  }

  /** The code for a comparator; those of the elements' own order are told apart by element. */
  private static <L> L codeFor(
      Plans<L> plans, Object[] a, int from, int count, @Nullable Comparator<Object> order) {
    Object key = order == null ? a[from] : order;
    // Null has no order of its own; comparing it will say so.
    Plan<L> plan = plans.get(key == null ? Object.class : key.getClass());
    Loops.passed(plan, count);
    return plan.loop();
  }

  /**
   * Sorts a range; equal elements keep their order.
   *
   * @param from the first index
   * @param to the end
   * @param order null: the elements' own
   */
  public static void sort(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
    int count = to - from;
    if (count < 2) {
      return;
    }
    StableCode code = codeFor(STABLE, a, from, count, order);
    int workers = Split.workers();
    if (workers == 1 || count <= SortTuning.ALONE) {
      code.sort(a, from, to, order);
      return;
    }
    int piece = Math.max(SortTuning.ALONE / 2, count / (2 * workers));
    new Stable(code, a, from, count, order).sort(from, to, piece);
  }

  /**
   * Sorts a range in place; equal elements come in any order.
   *
   * @param from the first index
   * @param to the end
   * @param order null: the elements' own
   */
  public static void sortUnstable(
      Object[] a, int from, int to, @Nullable Comparator<Object> order) {
    int count = to - from;
    if (count < 2) {
      return;
    }
    UnstableCode code = codeFor(UNSTABLE, a, from, count, order);
    int bad = Integer.SIZE - Integer.numberOfLeadingZeros(count);
    quicksort(code, a, from, to, order, bad, true);
  }

  private static void quicksort(
      UnstableCode code,
      Object[] a,
      int from,
      int to,
      @Nullable Comparator<Object> order,
      int bad,
      boolean leftmost) {
    int count = to - from;
    if (count <= SortTuning.PIECE || Split.workers() == 1) {
      code.sort(a, from, to, order, bad, leftmost);
      return;
    }
    if (!leftmost) {
      int rest = code.skipEqual(a, from, to, order);
      if (rest > from) {
        quicksort(code, a, rest, to, order, bad, false);
        return;
      }
    }
    int pivot = (int) code.partition(a, from, to, order);
    boolean lopsided = Math.min(pivot - from, to - pivot - 1) < count / 8;
    int badLeft = lopsided ? bad - 1 : bad;
    if (badLeft <= 0) {
      code.heapSort(a, from, to, order);
      return;
    }
    Split.join(
        () -> quicksort(code, a, from, pivot, order, badLeft, leftmost),
        () -> quicksort(code, a, pivot + 1, to, order, badLeft, false));
  }

  /**
   * Pieces are sorted in place and merged through a buffer: while the comparator runs in a merge,
   * the array itself is complete.
   */
  private static final class Stable {
    private final StableCode code;
    private final Object[] a;
    private final int base;
    private final int count;
    private final @Nullable Comparator<Object> order;

    /** Made by the first merge: sorted input has none. Guarded by {@code this}. */
    private Object @Nullable [] buffer;

    Stable(StableCode code, Object[] a, int base, int count, @Nullable Comparator<Object> order) {
      this.code = code;
      this.a = a;
      this.base = base;
      this.count = count;
      this.order = order;
    }

    private synchronized Object[] buffer() {
      if (buffer == null) {
        buffer = (Object[]) Array.newInstance(a.getClass().getComponentType(), count);
      }
      return buffer;
    }

    void sort(int from, int to, int piece) {
      if (to - from <= piece) {
        code.sort(a, from, to, order);
        return;
      }
      int middle = (from + to) >>> 1;
      Split.join(() -> sort(from, middle, piece), () -> sort(middle, to, piece));
      int lo = code.above(a, from, middle, a[middle], order);
      if (lo == middle) {
        return;
      }
      int hi = code.notBelow(a, middle, to, a[middle - 1], order);
      Object[] merged = buffer();
      merge(lo, middle, middle, hi, merged, lo - base);
      try {
        Split.each(
            lo,
            hi,
            4 * SortTuning.PIECE,
            (start, end) -> System.arraycopy(merged, start - base, a, start, end - start));
      } catch (Throwable t) {
        // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
        for (int i = lo; i < hi; i++) {
          a[i] = merged[i - base];
        }
        throw t;
      }
    }

    /** The longer side is halved, the other cut so that equals of the left stay left. */
    private void merge(int left, int leftEnd, int right, int rightEnd, Object[] merged, int at) {
      int leftCount = leftEnd - left;
      int rightCount = rightEnd - right;
      if (leftCount + rightCount <= SortTuning.PIECE) {
        code.merge(a, left, leftEnd, right, rightEnd, merged, at, order);
        return;
      }
      int leftCut;
      int rightCut;
      if (leftCount >= rightCount) {
        leftCut = left + leftCount / 2;
        rightCut = code.notBelow(a, right, rightEnd, a[leftCut], order);
      } else {
        rightCut = right + rightCount / 2;
        leftCut = code.above(a, left, leftEnd, a[rightCut], order);
      }
      int cut = at + (leftCut - left) + (rightCut - right);
      Split.join(
          () -> merge(left, leftCut, right, rightCut, merged, at),
          () -> merge(leftCut, leftEnd, rightCut, rightEnd, merged, cut));
    }
  }
}
