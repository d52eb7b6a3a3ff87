package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.IntAction;
import dev.blitz.parallel.LongAction;
import dev.blitz.parallel.LongRangeFunction;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.RangeAction;
import dev.blitz.parallel.RangeFunction;
import dev.blitz.parallel.Work;
import dev.blitz.parallel.internal.plan.Cost;
import dev.blitz.parallel.internal.plan.Plan;
import dev.blitz.parallel.internal.plan.Plans;
import dev.blitz.parallel.internal.plan.Template;
import java.lang.invoke.MethodHandles;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ways into a parallel loop. Each first asks what the class of its body has cost before: a loop
 * that will be over before anybody could help runs right here, with no pool, no clock, no object.
 */
public final class Loops {
  private static final Plans<IndexCode> INDEX = plans(new IndexCode.Loop());
  private static final Plans<LongIndexCode> LONG_INDEX = plans(new LongIndexCode.Loop());
  private static final Plans<SearchCode> SEARCH = plans(new SearchCode.Loop());

  /** Bodies that take whole blocks need no code of their own: they are called once per block. */
  private static final ClassValue<Cost> BLOCKS =
      new ClassValue<>() {
        @Override
        protected Cost computeValue(Class<?> body) {
          return new Cost();
        }
      };

  private Loops() {}

  private static <L> Plans<L> plans(L shared) {
    return new Plans<>(new Template<>(MethodHandles.lookup(), shared));
  }

  /**
   * Handles every index.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param body handles one
   * @throws X as declared
   */
  public static <X extends Exception> void forEach(
      LoopHome home, int from, int to, LoopOptions options, IntAction<X> body) throws X {
    Plan<IndexCode> plan = INDEX.get(body.getClass());
    if (from >= to) {
      return;
    }
    long count = (long) to - from;
    if (isUnwatched(plan, count, home, options)) {
      check(options);
      run(plan.loop(), body, from, to);
    } else {
      forEachWatched(home, from, to, options, body, plan);
    }
  }

  private static <X extends Exception> void forEachWatched(
      LoopHome home, int from, int to, LoopOptions options, IntAction<X> body, Plan<IndexCode> plan)
      throws X {
    if (isBrief(plan, (long) to - from, home, options)) {
      check(options);
      measureAndCopy(plan, (long) to - from, () -> Loops.<X>run(plan.loop(), body, from, to));
      return;
    }
    new StripLoop<IndexCode, X>(home, options, plan) {
      @Override
      boolean runStrip(long start, long end) throws X {
        Loops.<X>run(plan.loop(), body, (int) start, (int) end);
        return false;
      }
    }.start(from, to);
  }

  @SuppressWarnings("unchecked") // X is what the body declares
  private static <X extends Exception> void run(IndexCode code, IntAction<X> body, int from, int to)
      throws X {
    try {
      code.run(body, from, to);
    } catch (Exception e) {
      throw (X) e;
    }
  }

  /**
   * Handles every index of a long range.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param body handles one
   * @throws X as declared
   */
  public static <X extends Exception> void forEachLong(
      LoopHome home, long from, long to, LoopOptions options, LongAction<X> body) throws X {
    Plan<LongIndexCode> plan = LONG_INDEX.get(body.getClass());
    long count = count(from, to);
    if (count == 0) {
      return;
    }
    if (isUnwatched(plan, count, home, options)) {
      check(options);
      runLong(plan.loop(), body, from, (int) count);
    } else {
      forEachLongWatched(home, from, to, options, body, plan);
    }
  }

  private static <X extends Exception> void forEachLongWatched(
      LoopHome home,
      long from,
      long to,
      LoopOptions options,
      LongAction<X> body,
      Plan<LongIndexCode> plan)
      throws X {
    if (isBrief(plan, to - from, home, options)) {
      check(options);
      measureAndCopy(
          plan, to - from, () -> Loops.<X>runLong(plan.loop(), body, from, (int) (to - from)));
      return;
    }
    new StripLoop<LongIndexCode, X>(home, options, plan) {
      @Override
      boolean runStrip(long start, long end) throws X {
        Loops.<X>runLong(plan.loop(), body, start, (int) (end - start));
        return false;
      }
    }.start(from, to);
  }

  @SuppressWarnings("unchecked") // X is what the body declares
  private static <X extends Exception> void runLong(
      LongIndexCode code, LongAction<X> body, long from, int count) throws X {
    try {
      code.run(body, from, count);
    } catch (Exception e) {
      throw (X) e;
    }
  }

  /**
   * Tries indices until one says stop.
   *
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param stop true to end the loop
   * @return whether any index said stop
   */
  public static boolean anyMatch(
      LoopHome home, int from, int to, LoopOptions options, IntPredicate stop) {
    Plan<SearchCode> plan = SEARCH.get(stop.getClass());
    if (from >= to) {
      return false;
    }
    long count = (long) to - from;
    if (isUnwatched(plan, count, home, options)) {
      check(options);
      return plan.loop().run(stop, from, to);
    }
    return anyMatchWatched(home, from, to, options, stop, plan);
  }

  private static boolean anyMatchWatched(
      LoopHome home,
      int from,
      int to,
      LoopOptions options,
      IntPredicate stop,
      Plan<SearchCode> plan) {
    if (isBrief(plan, (long) to - from, home, options)) {
      check(options);
      return measureSearch(plan, stop, from, to);
    }
    Boolean found =
        new StripLoop<SearchCode, RuntimeException>(home, options, plan) {
          @Override
          boolean runStrip(long start, long end) {
            return plan.loop().run(stop, (int) start, (int) end);
          }
        }.start(from, to);
    return found != null && found;
  }

  /**
   * Handles runs of neighbouring indices.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param body handles a run
   * @throws X as declared
   */
  public static <X extends Exception> void forRanges(
      LoopHome home, int from, int to, LoopOptions options, RangeAction<X> body) throws X {
    Cost cost = BLOCKS.get(body.getClass());
    if (from >= to) {
      return;
    }
    long count = (long) to - from;
    if (isUnwatched(cost, count, home, options)) {
      check(options);
      body.run(from, to);
    } else {
      forRangesWatched(home, from, to, options, body, cost);
    }
  }

  private static <X extends Exception> void forRangesWatched(
      LoopHome home, int from, int to, LoopOptions options, RangeAction<X> body, Cost cost)
      throws X {
    if (isBrief(cost, (long) to - from, home, options)) {
      check(options);
      measure(cost, (long) to - from, () -> runAll(body, from, to));
      return;
    }
    new ReduceLoop<Object, X>(
            home,
            options,
            cost,
            (start, end) -> runAll(body, (int) start, (int) end),
            (left, right) -> left)
        .start(from, to);
  }

  /**
   * Reduces a range in order.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param body reduces a run
   * @param combiner makes one result of two neighbours
   * @return the result; null for no index
   * @throws X as declared
   */
  public static <T, X extends Exception> @Nullable T reduce(
      LoopHome home,
      int from,
      int to,
      LoopOptions options,
      RangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner)
      throws X {
    Cost cost = BLOCKS.get(body.getClass());
    if (from >= to) {
      return null;
    }
    long count = (long) to - from;
    if (isUnwatched(cost, count, home, options)) {
      check(options);
      return body.run(from, to);
    }
    return reduceWatched(home, from, to, options, body, combiner, cost);
  }

  private static <T, X extends Exception> @Nullable T reduceWatched(
      LoopHome home,
      int from,
      int to,
      LoopOptions options,
      RangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner,
      Cost cost)
      throws X {
    if (isBrief(cost, (long) to - from, home, options)) {
      check(options);
      return Loops.<T, X>measure(cost, (long) to - from, () -> body.run(from, to));
    }
    return new ReduceLoop<T, X>(
            home, options, cost, (start, end) -> body.run((int) start, (int) end), combiner)
        .start(from, to);
  }

  /**
   * Reduces a long range in order.
   *
   * @param <X> what the body throws
   * @param from the first index
   * @param to the end
   * @param options how to cut and stop it
   * @param body reduces a run
   * @param combiner makes one result of two neighbours
   * @return the result; null for no index
   * @throws X as declared
   */
  public static <T, X extends Exception> @Nullable T reduceLong(
      LoopHome home,
      long from,
      long to,
      LoopOptions options,
      LongRangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner)
      throws X {
    Cost cost = BLOCKS.get(body.getClass());
    long count = count(from, to);
    if (count == 0) {
      return null;
    }
    if (isUnwatched(cost, count, home, options)) {
      check(options);
      return body.run(from, to);
    }
    return reduceLongWatched(home, from, to, options, body, combiner, cost);
  }

  private static <T, X extends Exception> @Nullable T reduceLongWatched(
      LoopHome home,
      long from,
      long to,
      LoopOptions options,
      LongRangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner,
      Cost cost)
      throws X {
    if (isBrief(cost, to - from, home, options)) {
      check(options);
      return Loops.<T, X>measure(cost, to - from, () -> body.run(from, to));
    }
    return new ReduceLoop<T, X>(home, options, cost, body, combiner).start(from, to);
  }

  /**
   * Elements have passed through code that is no loop of this class, a sort: perhaps enough for
   * code of its own.
   *
   * @param plan whose
   * @param count how many
   */
  public static void passed(Plan<?> plan, long count) {
    plan.pass(count);
    StripLoop.copyCode(plan);
  }

  /**
   * Whether there is stack enough to define a class. The first one initialises many of the JDK's;
   * one whose initialiser overflows is broken for the whole program.
   *
   * @return false on one that has not much left
   */
  public static boolean hasStack() {
    return StackReserve.isAmple();
  }

  private static <X extends Exception> Object runAll(RangeAction<X> body, int from, int to)
      throws X {
    body.run(from, to);
    return Works.DONE;
  }

  /** What can be stopped is watched from its first elements on: they may have got dear. */
  private static boolean isBrief(Cost cost, long count, LoopHome home, LoopOptions options) {
    return BlockLoop.isBriefHere(home, options, cost, count);
  }

  /**
   * Whether a loop just runs. All others go through a method of their own, longer than 35 bytecodes
   * so that it is not inlined where it is rare: with it the way in would be too large to be inlined
   * itself, and the body with it.
   */
  private static boolean isUnwatched(Cost cost, long count, LoopHome home, LoopOptions options) {
    return isBrief(cost, count, home, options) && !Cost.isSampled(count);
  }

  private static <T, X extends Exception> T measure(
      Cost cost, long count, Work<? extends T, X> loop) throws X {
    int asked = WorkerThread.timesAskedHere();
    long start = System.nanoTime();
    T result = loop.run();
    cost.endSample(count, start);
    if (WorkerThread.timesAskedHere() != asked) {
      cost.bind();
    }
    return result;
  }

  private static <X extends Exception> void measureAndCopy(Plan<?> plan, long count, Action<X> loop)
      throws X {
    Loops.<Object, X>measure(
        plan,
        count,
        () -> {
          loop.run();
          return Works.DONE;
        });
    passedBriefly(plan, count);
  }

  /** One was measured; the others before it have told nobody. */
  private static void passedBriefly(Plan<?> plan, long count) {
    passed(plan, count * (Cost.loopsPerSample(count) - 1));
  }

  private static boolean measureSearch(Plan<SearchCode> plan, IntPredicate stop, int from, int to) {
    long start = System.nanoTime();
    int asked = WorkerThread.timesAskedHere();
    boolean found = plan.loop().run(stop, from, to);
    if (!found) {
      plan.endSample((long) to - from, start);
      passedBriefly(plan, (long) to - from);
    }
    if (WorkerThread.timesAskedHere() != asked) {
      plan.bind();
    }
    return found;
  }

  private static void check(LoopOptions options) {
    RangeLoop.check(Thread.currentThread().isInterrupted(), options.stopWhen());
  }

  private static long count(long from, long to) {
    if (from >= to) {
      return 0;
    }
    long count = to - from;
    if (count < 0) {
      throw new IllegalArgumentException("more than 2^63 - 1 indices: " + from + " to " + to);
    }
    return count;
  }
}
