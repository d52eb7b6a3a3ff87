package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.BlockLoop;
import dev.blitz.parallel.internal.plan.Cost;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts what cells have appended into one array, side by side. */
final class Concat extends BlockLoop<Object> {
  /** What a cell costs, whatever is in it: they are all about as long. */
  private static final Cost COST = new Cost();

  private final @Nullable Cell[] cells;
  private final int[] starts;
  private final Object array;

  private Concat(Where where, @Nullable Cell[] cells, int[] starts, Object array) {
    super(where.home(), LoopOptions.DEFAULT, COST);
    this.cells = cells;
    this.starts = starts;
    this.array = array;
  }

  /**
   * All of them.
   *
   * @param first the first of the chain; null: there are none
   * @throws OutOfMemoryError for more than an array can hold
   */
  static Object toArray(@Nullable Cell first, Kind kind, Where where) {
    int count = 0;
    long size = 0;
    for (Cell cell = first; cell != null; cell = cell.next) {
      size += cell.outAt - cell.outFrom;
      count++;
    }
    Object array = kind.newArray(Ends.checkedSize(size));
    @Nullable Cell[] cells = new Cell[count];
    int[] starts = new int[count];
    int at = 0;
    int i = 0;
    for (Cell cell = first; cell != null; cell = cell.next) {
      cells[i] = cell;
      starts[i++] = at;
      at += cell.outAt - cell.outFrom;
    }
    var concat = new Concat(where, cells, starts, array);
    if (count == 1) {
      concat.runBlock(0, 1);
    } else {
      concat.run(count);
    }
    return array;
  }

  @Override
  protected Object runBlock(long from, long to) {
    for (int i = (int) from; i < to; i++) {
      Cell cell = Objects.requireNonNull(cells[i]);
      Object out = cell.out;
      if (out != null) {
        System.arraycopy(out, cell.outFrom, array, starts[i], cell.outAt - cell.outFrom);
      }
    }
    return this;
  }

  @Override
  protected Object combine(Object left, Object right) {
    return left;
  }
}
