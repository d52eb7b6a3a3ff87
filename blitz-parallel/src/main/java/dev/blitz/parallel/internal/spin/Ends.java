package dev.blitz.parallel.internal.spin;

import java.lang.reflect.Array;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The ends of pipelines: what makes one run. */
public final class Ends {
  private static final Cell EMPTY = new Cell();

  /** Below this a block's own array is just as good. */
  private static final int LEAST_ROOM = 1 << 14;

  private static final int MOST_ROOM = 1 << 26;
  private static final int PART_OF_MEMORY = 8;

  private Ends() {}

  private static Cell run(Pipe pipe, Where where, Execution.Ending ending) {
    Cell cell = Execution.run(pipe, where, ending);
    return cell == null ? EMPTY : cell;
  }

  /**
   * Reduces to one value.
   *
   * @param pipe what
   * @param where it runs
   * @param form how
   * @param function the user's, for {@link Form#REDUCE}
   * @return a cell, empty if nothing came
   */
  public static Cell reduce(Pipe pipe, Where where, Form form, @Nullable Object function) {
    var ending = Execution.Ending.of(form, function);
    // Whether numbers overflow does not depend on the order; how doubles are rounded does.
    return pipe.kind() == Kind.DOUBLE && form == Form.REDUCE
        ? DoubleChunks.reduce(pipe, where, ending)
        : run(pipe, where, ending);
  }

  /**
   * Counts.
   *
   * @param pipe what
   * @param where it runs; if every index yields an element it does not
   * @return how many
   */
  public static long count(Pipe pipe, Where where) {
    Pipe ready = pipe.resolved(where);
    return ready.isIndexed() ? ready.size() : reduce(ready, where, Form.COUNT, null).bits;
  }

  /**
   * Finds the first, or any.
   *
   * @param pipe what
   * @param where it runs
   * @param any whether another will do as well
   * @return a cell, empty if nothing came
   */
  public static Cell first(Pipe pipe, Where where, boolean any) {
    return run(pipe, where, new Execution.Ending(Form.FIRST, null, null, null, null, any));
  }

  /**
   * Where in the pipeline something is that was found from the end.
   *
   * @param pipe the pipeline, one element per index
   * @param found by a search through it reversed
   * @return its index, or -1
   */
  public static long lastPlace(Pipe pipe, Cell found) {
    return found.any ? pipe.size() - 1 - found.index : -1;
  }

  /**
   * Hands each to a consumer.
   *
   * @param pipe what
   * @param where it runs
   * @param consumer of the kind
   */
  public static void each(Pipe pipe, Where where, Object consumer) {
    run(pipe, where, new Execution.Ending(Form.EACH, consumer));
  }

  /**
   * Adds each to containers, one per block, that are combined in order.
   *
   * @param pipe what
   * @param where it runs
   * @param container makes one
   * @param accumulator takes a container and an element of the kind
   * @param combiner makes one container of two
   * @return the container of all
   */
  public static Object fold(
      Pipe pipe,
      Where where,
      Supplier<?> container,
      Object accumulator,
      BinaryOperator<Object> combiner) {
    var ending = new Execution.Ending(Form.FOLD, accumulator, null, container, combiner, false);
    Cell cell =
        pipe.kind() == Kind.DOUBLE
            ? DoubleChunks.reduce(pipe, where, ending)
            : run(pipe, where, ending);
    Object result = cell.ref;
    return result == null ? where.call(container::get) : result;
  }

  /**
   * Stores each at its index in a given array. If what is stored to one index is or may be read at
   * another, all is read first.
   *
   * @param pipe what
   * @param where it runs
   * @param array of the kind
   * @return how many there were
   * @throws IndexOutOfBoundsException before anything is stored, when there are more
   */
  public static int into(Pipe pipe, Where where, Object array) {
    Pipe ready = pipe.resolved(where);
    int room = Array.getLength(array);
    if (!ready.isIndexed() || ready.readsElsewhereIn(array)) {
      Object all = toArray(ready, where);
      int count = Array.getLength(all);
      checkRoom(count, room);
      System.arraycopy(all, 0, array, 0, count);
      return count;
    }
    checkRoom(ready.size(), room);
    store(ready, where, array);
    return (int) ready.size();
  }

  private static void store(Pipe pipe, Where where, Object array) {
    run(pipe, where, new Execution.Ending(Form.STORE, null, array, null, null, false));
  }

  private static void checkRoom(long count, int room) {
    if (count > room) {
      throw new IndexOutOfBoundsException(count + " elements do not fit an array of " + room);
    }
  }

  /**
   * All, in order.
   *
   * @param pipe what
   * @param where it runs
   * @return an array of the kind
   * @throws OutOfMemoryError for more than an array can hold
   */
  public static Object toArray(Pipe pipe, Where where) {
    Pipe ready = pipe.resolved(where);
    if (ready != pipe && Scan.isWholeArray(ready)) {
      // It was made for this run alone.
      return ready.source().data();
    }
    if (ready.isIndexed()) {
      Object array = pipe.kind().newArray(checkedSize(ready.size()));
      store(ready, where, array);
      return array;
    }
    Object room = roomFor(ready);
    Cell cells =
        Execution.run(
            ready, where, new Execution.Ending(Form.APPEND, null, room, null, null, false));
    return Concat.toArray(cells, pipe.kind(), where);
  }

  /**
   * An array with a place for each index, if each yields one element at most and there is plenty of
   * memory: many small arrays would be moved about by the collector.
   */
  private static @Nullable Object roomFor(Pipe pipe) {
    boolean flat = pipe.parts() != null;
    for (Step step : pipe.steps()) {
      flat |= step.op() == Op.FLAT;
    }
    if (flat || pipe.size() < LEAST_ROOM || pipe.size() > MOST_ROOM) {
      return null;
    }
    long bytes = pipe.size() * Long.BYTES;
    return bytes < Runtime.getRuntime().maxMemory() / PART_OF_MEMORY
        ? pipe.kind().newArray((int) pipe.size())
        : null;
  }

  static int checkedSize(long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new OutOfMemoryError("an array cannot hold " + size + " elements");
    }
    return (int) size;
  }
}
