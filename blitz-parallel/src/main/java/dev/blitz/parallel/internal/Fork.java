package dev.blitz.parallel.internal;

import dev.blitz.parallel.Action;
import dev.blitz.parallel.DoubleWork;
import dev.blitz.parallel.IntWork;
import dev.blitz.parallel.LongWork;
import dev.blitz.parallel.Work;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fork path. Each method is one inlinable shape, written out per result type: a call site that
 * passes two lambdas has both of them, and the recursion inside, compiled into one body, with no
 * interface call and no boxing left.
 *
 * <p>Everything rare is a call to {@link WorkerThread} that takes neither the lambdas nor the first
 * result: what such a call sees would have to be a real object on the common path too. What must
 * not move: the slow path of a push is inside the {@code try}, so a fork on the stack is always
 * joined or ended.
 */
public final class Fork {
  private Fork() {}

  /**
   * Joins two computations.
   *
   * @param <R> the combined result
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @param combiner makes one result of two
   * @throws X as declared
   */
  @SuppressWarnings("unchecked") // joinShared yields what b yields
  public static <A, B, R, X extends Exception> R join(
      WorkerThread worker,
      Work<? extends A, X> a,
      Work<? extends B, X> b,
      BiFunction<? super A, ? super B, ? extends R> combiner)
      throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    A left;
    try {
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
      left = a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    // Two calls of the combiner: where both results meet, the boxed one would have to be an object.
    if (worker.popPrivate(fork)) {
      return combiner.apply(left, b.run());
    }
    return combiner.apply(left, (B) worker.<X>joinShared(fork));
  }

  /**
   * Joins two computations without a result.
   *
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @throws X as declared
   */
  public static <X extends Exception> void join(WorkerThread worker, Action<X> a, Action<X> b)
      throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    try {
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
      a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    if (worker.popPrivate(fork)) {
      b.run();
    } else {
      worker.<X>joinShared(fork);
    }
  }

  /**
   * {@link #join(WorkerThread, Work, Work, BiFunction)} with the second half visible to others at
   * once: for few and coarse halves. A private fork waits until its owner forks again, which a long
   * first half puts off.
   *
   * @param <R> the combined result
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @param combiner makes one result of two
   * @throws X as declared
   */
  @SuppressWarnings("unchecked") // joinAny yields what b yields
  public static <A, B, R, X extends Exception> R joinCoarse(
      WorkerThread worker,
      Work<? extends A, X> a,
      Work<? extends B, X> b,
      BiFunction<? super A, ? super B, ? extends R> combiner)
      throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    A left;
    try {
      worker.attendAll(fork);
      left = a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    return combiner.apply(left, (B) worker.<X>joinAny(fork));
  }

  /**
   * Joins two computations of an {@code int}.
   *
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @param combiner makes one result of two
   * @throws X as declared
   */
  public static <X extends Exception> int joinInt(
      WorkerThread worker, IntWork<X> a, IntWork<X> b, IntBinaryOperator combiner) throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    int left;
    try {
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
      left = a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    int right = worker.popPrivate(fork) ? b.run() : (Integer) worker.<X>joinShared(fork);
    return combiner.applyAsInt(left, right);
  }

  /**
   * Joins two computations of a {@code long}.
   *
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @param combiner makes one result of two
   * @throws X as declared
   */
  public static <X extends Exception> long joinLong(
      WorkerThread worker, LongWork<X> a, LongWork<X> b, LongBinaryOperator combiner) throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    long left;
    try {
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
      left = a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    long right = worker.popPrivate(fork) ? b.run() : (Long) worker.<X>joinShared(fork);
    return combiner.applyAsLong(left, right);
  }

  /**
   * Joins two computations of a {@code double}.
   *
   * @param <X> what they throw
   * @param worker the current thread
   * @param a runs first, here
   * @param b may be run by a thief
   * @param combiner makes one result of two
   * @throws X as declared
   */
  public static <X extends Exception> double joinDouble(
      WorkerThread worker, DoubleWork<X> a, DoubleWork<X> b, DoubleBinaryOperator combiner)
      throws X {
    int fork = worker.push(Objects.requireNonNull(b, "second half"));
    double left;
    try {
      if (worker.needsAttention(fork)) {
        worker.attend();
      }
      left = a.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    double right = worker.popPrivate(fork) ? b.run() : (Double) worker.<X>joinShared(fork);
    return combiner.applyAsDouble(left, right);
  }

  /**
   * First step of a recursive job's fork. The second half stays a number; nothing is allocated.
   *
   * @param worker the current thread
   * @param recursion the job
   * @param number the argument of the second half
   * @return the fork, for the other steps
   */
  @SuppressWarnings("ReferenceEquality") // the very object is meant
  public static int push(WorkerThread worker, Recursion recursion, long number) {
    Frame frame = worker.top();
    frame.number = number;
    // The same job again and again: comparing is cheaper than the collector's barrier for a store.
    if (frame.work != recursion) {
      frame.work = recursion;
    }
    return worker.push();
  }

  /**
   * First step of a recursive job's fork when its argument is an object.
   *
   * @param worker the current thread
   * @param recursion the job
   * @param argument the argument of the second half
   * @return the fork, for the other steps
   */
  @SuppressWarnings("ReferenceEquality") // the very object is meant
  public static int push(WorkerThread worker, Recursion recursion, @Nullable Object argument) {
    Frame frame = worker.top();
    frame.argument = argument;
    if (frame.work != recursion) {
      frame.work = recursion;
    }
    return worker.push();
  }

  /**
   * Second step.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @return true: go on with {@link #runAttended}; false: run the first half here
   */
  public static boolean needsAttention(WorkerThread worker, int fork) {
    return worker.needsAttention(fork);
  }

  /**
   * The first half, after those who wait for work were served.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @param first the first half
   * @return its boxed result
   */
  public static Object runAttended(WorkerThread worker, int fork, Work<?, RuntimeException> first) {
    return worker.<RuntimeException>runAttended(fork, first);
  }

  /**
   * The second half, after {@link #runAttended}.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @return its boxed result
   */
  public static Object joinAny(WorkerThread worker, int fork) {
    return worker.<RuntimeException>joinAny(fork);
  }

  /**
   * Third step, when the first half has ended well.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @return true: run the second half here; false: {@link #joinShared}
   */
  public static boolean popPrivate(WorkerThread worker, int fork) {
    return worker.popPrivate(fork);
  }

  /**
   * The same for a fork with an object as its argument, which leaves the frame: the next fork there
   * need not have one, and would keep it.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @return true: run the second half here; false: {@link #joinShared}
   */
  public static boolean popPrivateArgument(WorkerThread worker, int fork) {
    if (!worker.popPrivate(fork)) {
      return false;
    }
    worker.top().argument = null;
    return true;
  }

  /**
   * The result of a second half that was shared.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @return its boxed result
   */
  public static Object joinShared(WorkerThread worker, int fork) {
    return worker.<RuntimeException>joinShared(fork);
  }

  /**
   * The first half failed: ends the second and throws.
   *
   * @param worker the current thread
   * @param fork what was pushed
   * @param failure what the first half threw
   * @return never; for use in a {@code throw} statement
   */
  public static RuntimeException failed(WorkerThread worker, int fork, Throwable failure) {
    throw Throwing.<RuntimeException>sneaky(worker.failed(fork, failure));
  }
}
