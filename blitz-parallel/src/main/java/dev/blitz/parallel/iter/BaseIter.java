package dev.blitz.parallel.iter;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.internal.BlockLoop;
import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.LoopHome;
import dev.blitz.parallel.internal.PoolAccess;
import dev.blitz.parallel.internal.spin.Ends;
import dev.blitz.parallel.internal.spin.Kind;
import dev.blitz.parallel.internal.spin.Op;
import dev.blitz.parallel.internal.spin.Pipe;
import dev.blitz.parallel.internal.spin.Source;
import dev.blitz.parallel.internal.spin.Where;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What pipelines of all kinds can do.
 *
 * @param <S> the kind of pipeline
 */
public abstract sealed class BaseIter<S extends BaseIter<S>>
    permits Iter, IntIter, LongIter, DoubleIter {
  /**
   * Where pipelines run that nobody has said more about. Asked for before anything else: this class
   * has no initialiser of its own, which its first user could break.
   */
  static Where anywhere() {
    FirstUse.ofData();
    return Anywhere.WHERE;
  }

  /** A class of its own, so that it is initialised when there is room for it. */
  private static final class Anywhere {
    static final Where WHERE =
        new Where(new LoopHome(() -> PoolAccess.core(Pool.common()), false), LoopOptions.DEFAULT);

    private Anywhere() {}
  }

  /** Elements of an array that are added up or compared on the spot. */
  private static final int FEW = 1024;

  /** Whoever asks for it first makes it, and all make the same; a pipe is immutable. */
  private @Nullable Pipe pipe;

  final Where where;

  BaseIter(Pipe pipe, Where where) {
    this.pipe = pipe;
    this.where = where;
  }

  /** A pipe is made when it is needed, by {@link #makePipe}. */
  BaseIter(Where where) {
    this.where = where;
  }

  final Pipe pipe() {
    Pipe known = pipe;
    if (known == null) {
      known = makePipe();
      pipe = known;
    }
    return known;
  }

  Pipe makePipe() {
    throw new IllegalStateException("made with a pipe");
  }

  /**
   * Whether so many elements, through which no function goes, are best handled right here. They
   * cost so little that nothing need be known about them.
   *
   * @throws java.util.concurrent.CancellationException if the caller is interrupted
   */
  static boolean isFew(int count) {
    if (count > FEW) {
      return false;
    }
    BlockLoop.check();
    return true;
  }

  /** The same where it is said where to run and what to stop for. */
  final boolean isFewHere(long count) {
    if (count > FEW || !where.isHere()) {
      return false;
    }
    BlockLoop.check(where.options());
    return true;
  }

  abstract S make(Pipe changed, Where there);

  final S make(Pipe changed) {
    return make(changed, where);
  }

  static void checkCount(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a count must not be negative: " + count);
    }
  }

  /** Beyond this the least are found by sorting all. */
  static final int MOST_KEPT = 1 << 16;

  private static void checkPositive(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("must be 1 or more: " + count);
    }
  }

  /**
   * Runs on the workers of a pool and on no other thread.
   *
   * @param pool which
   * @return the same pipeline, there
   */
  public final S on(Pool pool) {
    Objects.requireNonNull(pool, "pool");
    return make(
        pipe(), new Where(new LoopHome(() -> PoolAccess.core(pool), true), where.options()));
  }

  /**
   * Is cut and stopped as these options say; a pipeline that is stopped throws {@link
   * java.util.concurrent.CancellationException}.
   *
   * {@snippet :
   * Parallel.iter(rows).with(LoopOptions.DEFAULT.withToken(token)).forEach(this::render);
   * }
   *
   * @param options least grain, token
   * @return the same pipeline with them
   */
  public final S with(LoopOptions options) {
    Objects.requireNonNull(options, "options");
    return make(pipe(), new Where(where.home(), options));
  }

  /**
   * All but the first elements.
   *
   * @param count how many not; more than there are leaves none
   */
  public final S skip(long count) {
    checkCount(count);
    return make(pipe().skip(count));
  }

  /**
   * The first elements. After a {@code filter} or {@code flatMap} the source is gone through in
   * growing rounds until there are enough.
   *
   * @param count how many at most
   */
  public final S limit(long count) {
    checkCount(count);
    return make(pipe().limit(count));
  }

  /**
   * From the last element to the first.
   *
   * @return the other way round
   */
  public final S reversed() {
    return make(pipe().reversed());
  }

  /**
   * The first element and every so many from there.
   *
   * @param step 1 or more
   * @return the thinner pipeline
   */
  public final S stepBy(int step) {
    checkPositive(step);
    return make(pipe().stepBy(step));
  }

  /**
   * These elements, then those of another pipeline.
   *
   * @param other the second
   * @return both; it runs where this one runs
   */
  public final S chain(S other) {
    return make(pipe().chain(other.pipe()));
  }

  /**
   * Pipelines over neighbouring elements. They run where this one does and are stopped by what
   * stops it; its least grain is not theirs.
   *
   * {@snippet :
   * long[] sums = Parallel.iter(longs).chunks(1_000).mapToLong(LongIter::sum).toArray();
   * }
   *
   * @param size elements of each but perhaps the last, 1 or more
   * @return the chunks in order
   */
  public final Iter<S> chunks(int size) {
    checkPositive(size);
    return parts(size, size, false);
  }

  /**
   * Pipelines over all runs of neighbours: the first begins at the first element, the second at the
   * second... They run where this one does and are stopped by what stops it.
   *
   * @param size elements of each, 1 or more
   * @return the windows in order; none if there are fewer elements
   */
  public final Iter<S> windows(int size) {
    checkPositive(size);
    return parts(size, 1, true);
  }

  private Iter<S> parts(int size, int step, boolean whole) {
    Pipe parts =
        Pipe.defer(
            Kind.REF,
            there -> {
              Pipe.Parts all = pipe().parts(size, step, whole, there);
              Source numbers = new Source(Source.Form.LONG_RANGE, all, 0, 1, all.count());
              Where within = withinPart(there);
              LongFunction<S> part = i -> make(all.part().apply(i), within);
              return Pipe.of(numbers).then(Op.MAP_LR, Kind.REF, part);
            });
    return new Iter<>(parts, where);
  }

  /**
   * The least grain says how many parts are worth another worker's while, not how large they are.
   */
  private static Where withinPart(Where there) {
    LoopOptions options = there.options();
    return options.grain() == 1 ? there : new Where(there.home(), options.withGrain(1));
  }

  /**
   * How many elements there are. If every element of the source yields one, no function is called.
   */
  public final long count() {
    return Ends.count(pipe(), where);
  }

  /** The same with one element per index of the source. */
  final Pipe indexed() {
    return pipe().collected(where);
  }
}
