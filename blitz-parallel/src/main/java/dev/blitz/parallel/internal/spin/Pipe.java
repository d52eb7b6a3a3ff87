package dev.blitz.parallel.internal.spin;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline without its end: a description that runs nothing. It begins with a source, with other
 * pipelines one after the other, or with what is known only when it runs. Immutable.
 */
public final class Pipe {
  private static final Step[] NONE = {};

  private final @Nullable Source source;
  private final Pipe @Nullable [] parts;
  private final @Nullable Function<Where, Pipe> deferred;
  private final Step[] steps;
  private final Kind kind;

  private Pipe(
      @Nullable Source source,
      Pipe @Nullable [] parts,
      @Nullable Function<Where, Pipe> deferred,
      Step[] steps,
      Kind kind) {
    this.source = source;
    this.parts = parts;
    this.deferred = deferred;
    this.steps = steps;
    this.kind = kind;
  }

  /**
   * Nothing but a source.
   *
   * @param source what
   */
  public static Pipe of(Source source) {
    return new Pipe(source, null, null, NONE, source.form().kind);
  }

  /**
   * What is known only when it runs.
   *
   * @param kind what comes out
   * @param pipe what it will be
   */
  public static Pipe defer(Kind kind, Function<Where, Pipe> pipe) {
    return new Pipe(null, null, pipe, NONE, kind);
  }

  /**
   * This one, then another.
   *
   * @param other of the same kind
   */
  public Pipe chain(Pipe other) {
    Pipe[] first = ownParts();
    Pipe[] second = other.ownParts();
    Pipe[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return new Pipe(null, all, null, NONE, kind);
  }

  /** Side by side, not within each other: what runs them calls itself for each level. */
  private Pipe[] ownParts() {
    return parts != null && steps.length == 0 ? parts : new Pipe[] {this};
  }

  /**
   * With another step.
   *
   * @param op what
   * @param out the kind after it
   * @param function the user's
   */
  public Pipe then(Op op, Kind out, Object function) {
    Objects.requireNonNull(function, "function");
    return then(new Step(op, function, null), out);
  }

  /**
   * All elements of a pipeline for each element.
   *
   * @param out their kind
   * @param function the user's
   * @param flattener calls it
   */
  public Pipe thenFlat(Kind out, Object function, Flattener flattener) {
    Objects.requireNonNull(function, "function");
    return then(new Step(Op.FLAT, function, null, flattener), out);
  }

  private Pipe then(Step step, Kind out) {
    Step[] longer = Arrays.copyOf(steps, steps.length + 1);
    longer[steps.length] = step;
    return new Pipe(source, parts, deferred, longer, out);
  }

  /**
   * Each combined with what has the same index elsewhere, as far as both go.
   *
   * @param other the second
   * @param function combines two
   */
  public Pipe zip(Source other, Object function) {
    Objects.requireNonNull(function, "function");
    if (!isIndexed()) {
      return defer(kind, where -> collected(where).zip(other, function));
    }
    long size = Math.min(size(), other.size());
    Pipe shorter = slice(0, size);
    return shorter.then(new Step(Op.zip(kind), function, other.slice(0, size)), kind);
  }

  /**
   * What comes out.
   *
   * @return its kind
   */
  public Kind kind() {
    return kind;
  }

  /** Whether every index of the source yields one element. */
  boolean isIndexed() {
    boolean indexed = source != null;
    for (Step step : steps) {
      indexed &= step.op().keepsIndices();
    }
    return indexed;
  }

  /**
   * Whether the element of some index may be read at another index of this array. There is one
   * element per index.
   */
  boolean readsElsewhereIn(Object array) {
    boolean elsewhere = source().readsElsewhereIn(array);
    for (Step step : steps) {
      Source other = step.other();
      elsewhere |= other != null && other.readsElsewhereIn(array);
    }
    return elsewhere;
  }

  @SuppressWarnings("ReferenceEquality") // the very array is meant
  private boolean readsIn(Object array) {
    boolean reads = source().data() == array || source().readsElsewhereIn(array);
    for (Step step : steps) {
      Source other = step.other();
      reads |= other != null && (other.data() == array || other.readsElsewhereIn(array));
    }
    return reads;
  }

  /** Elements of the source; there must be one. */
  long size() {
    return source().size();
  }

  /**
   * The source of a pipeline that is nothing else, one element after the other.
   *
   * @return null of any other
   */
  public @Nullable Source bareSource() {
    return steps.length == 0 && source != null && !source.isStrided() ? source : null;
  }

  Source source() {
    return Objects.requireNonNull(source, "no source");
  }

  Step[] steps() {
    return steps;
  }

  Pipe @Nullable [] parts() {
    return parts;
  }

  /** With further steps that come out as {@code out}. */
  Pipe thenAll(Step[] more, Kind out) {
    return new Pipe(source, parts, deferred, joined(steps, more), out);
  }

  static Step[] joined(Step[] first, Step[] second) {
    if (second.length == 0) {
      return first;
    }
    Step[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** The same with nothing left to be found out but within parts. */
  Pipe resolved(Where where) {
    Pipe pipe = this;
    while (pipe.deferred != null) {
      pipe = pipe.deferred.apply(where).thenAll(pipe.steps, pipe.kind);
    }
    return pipe;
  }

  /** The same with one element per index: as it is, or collected into an array. */
  public Pipe collected(Where where) {
    Pipe pipe = resolved(where);
    return pipe.isIndexed() ? pipe : pipe.copied(where);
  }

  private Pipe copied(Where where) {
    Object array = Ends.toArray(this, where);
    return of(Source.ofArray(kind, array, Array.getLength(array)));
  }

  /** Only what comes from these indices of the source. */
  Pipe slice(long from, long to) {
    return reshaped(s -> s.slice(from, to));
  }

  private Pipe reshaped(UnaryOperator<Source> change) {
    Step[] changed = steps.clone();
    for (int i = 0; i < changed.length; i++) {
      Step step = changed[i];
      Source other = step.other();
      if (other != null) {
        changed[i] = new Step(step.op(), step.function(), change.apply(other));
      }
    }
    return new Pipe(change.apply(source()), null, null, changed, kind);
  }

  /** Changes which indices there are; what has none is collected first. */
  private Pipe byIndex(UnaryOperator<Source> change) {
    return isIndexed() ? reshaped(change) : defer(kind, where -> collected(where).reshaped(change));
  }

  /**
   * All but the first.
   *
   * @param count how many not
   */
  public Pipe skip(long count) {
    return byIndex(s -> s.slice(Math.min(count, s.size()), s.size()));
  }

  /**
   * The first.
   *
   * @param count how many at most
   */
  public Pipe limit(long count) {
    if (isIndexed()) {
      return slice(0, Math.min(count, size()));
    }
    return defer(
        kind,
        where -> {
          Pipe pipe = resolved(where);
          return pipe.isIndexed() ? pipe.limit(count) : Prefix.limit(pipe, where, count);
        });
  }

  /**
   * All before the first that fails.
   *
   * @param predicate of this kind
   */
  public Pipe takeWhile(Object predicate) {
    Objects.requireNonNull(predicate, "predicate");
    return defer(kind, where -> Prefix.takeWhile(resolved(where), where, predicate));
  }

  /**
   * The first that fails, and all after it.
   *
   * @param predicate of this kind
   */
  public Pipe dropWhile(Object predicate) {
    Objects.requireNonNull(predicate, "predicate");
    return defer(
        kind,
        where -> {
          Pipe all = collected(where);
          Cell failing = Ends.first(all.then(Op.reject(kind), kind, predicate), where, false);
          Pipe rest = all.slice(failing.isPresent() ? failing.index() : all.size(), all.size());
          // What an array was collected for may keep it; the user's it may not.
          return Scan.isWholeArray(rest) ? rest.copied(where) : rest;
        });
  }

  /**
   * From the last to the first.
   *
   * @return the other way round
   */
  public Pipe reversed() {
    return byIndex(Source::reversed);
  }

  /**
   * From the last to the first, filters included: order does not matter to them.
   *
   * @return the other way round
   */
  public Pipe fromTheEnd() {
    boolean flat = source == null;
    for (Step step : steps) {
      flat |= step.op() == Op.FLAT;
    }
    return flat ? reversed() : reshaped(Source::reversed);
  }

  /**
   * The first, and every so many from there.
   *
   * @param step 1 or more
   * @return the thinner pipeline
   */
  public Pipe stepBy(long step) {
    return byIndex(s -> s.stepBy(step));
  }

  /**
   * Pipelines over parts of this one.
   *
   * @param width of each part but perhaps the last
   * @param step from the start of one to that of the next
   * @param whole only parts of the full width
   * @param where it runs, if it must be collected
   * @return parts by number, and how many
   */
  public Parts parts(int width, int step, boolean whole, Where where) {
    Pipe pipe = collected(where);
    long size = pipe.size();
    long last = whole ? size - width : size - 1;
    long count = last < 0 ? 0 : last / step + 1;
    return new Parts(
        pipe, count, i -> pipe.slice(i * step, i * step + Math.min(width, size - i * step)));
  }

  /**
   * Parts of a pipeline.
   *
   * @param whole what they are parts of
   * @param count how many
   * @param part by number
   */
  public record Parts(Pipe whole, long count, LongFunction<Pipe> part) {
    /** Whether a part reads anything in this array. */
    boolean readIn(Object array) {
      return whole.readsIn(array);
    }
  }
}
