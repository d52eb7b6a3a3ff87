package dev.blitz.io.stream;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/** What a source is used for: futures that take all items, or the first. They own the source. */
abstract class Ends<T, R> implements Future<R> {
  private final StageSource<T> source;
  private boolean ended;

  Ends(Source<T> source) {
    this.source = StageSource.of(source);
  }

  /** Uses an item; false if it wants no more. */
  abstract boolean accept(T item) throws Exception;

  /** When it wants no more, or there are no more. */
  abstract R result() throws Exception;

  @Override
  public final @Nullable R poll(Context cx) throws Exception {
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    if (!source.enter()) {
      ended = true;
      if (source.wasClosed()) {
        throw closed();
      }
      return result();
    }
    boolean pending;
    try {
      pending = isPending(cx);
    } catch (Throwable t) {
      ended = true;
      source.end();
      throw t;
    }
    ended = !pending;
    if (!(pending ? source.leave(cx.waker()) : source.end())) {
      ended = true;
      throw closed();
    }
    return pending ? null : result();
  }

  /** Takes what is there. */
  private boolean isPending(Context cx) throws Exception {
    Stage<T> stage = source.stage;
    for (int n = 0; n < Stage.ROUND && !source.isClosing(); n++) {
      T item = stage.pull(cx);
      if (item == null) {
        return !stage.ended;
      }
      if (!accept(item)) {
        return false;
      }
    }
    cx.waker().wake();
    return true;
  }

  private CancelledException closed() {
    return new CancelledException("the source was closed before it had ended: " + source);
  }

  @Override
  public final void drop() {
    ended = true;
    source.close();
  }

  @Override
  public final String toString() {
    return "the items of " + source;
  }

  /** {@link Source#fold}. */
  static final class Fold<T, R> extends Ends<T, R> {
    private final ThrowingBiFunction<? super R, ? super T, ? extends R> function;
    private R sum;

    Fold(
        Source<T> source,
        R initial,
        ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
      Objects.requireNonNull(initial, "initial");
      Objects.requireNonNull(function, "function");
      super(source);
      this.sum = initial;
      this.function = function;
    }

    @Override
    boolean accept(T item) throws Exception {
      sum = Values.nonNull(function.apply(sum, item), "fold function", function);
      return true;
    }

    @Override
    R result() {
      return sum;
    }
  }

  /** {@link Source#each}. */
  static final class Each<T> extends Ends<T, Done> {
    private final ThrowingConsumer<? super T> action;

    Each(Source<T> source, ThrowingConsumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      super(source);
      this.action = action;
    }

    @Override
    boolean accept(T item) throws Exception {
      action.accept(item);
      return true;
    }

    @Override
    Done result() {
      return Done.DONE;
    }
  }

  /** {@link Source#collect}. */
  static final class Collect<T, A, R> extends Ends<T, R> {
    private final Collector<? super T, A, R> collector;
    private @Nullable BiConsumer<A, T> accumulator;
    private @Nullable A container;

    Collect(Source<T> source, Collector<? super T, A, R> collector) {
      Objects.requireNonNull(collector, "collector");
      super(source);
      this.collector = collector;
    }

    @SuppressWarnings("unchecked") // it takes a T, and so all that are one
    private BiConsumer<A, T> begin() {
      var begun = (BiConsumer<A, T>) collector.accumulator();
      container = collector.supplier().get();
      accumulator = begun;
      return begun;
    }

    @Override
    @SuppressWarnings("NullAway") // a collector's container may be null; it decides
    boolean accept(T item) {
      BiConsumer<A, T> add = accumulator == null ? begin() : accumulator;
      add.accept(container, item);
      return true;
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    R result() {
      if (accumulator == null) {
        begin();
      }
      return Values.nonNull(collector.finisher().apply(container), "collector", collector);
    }
  }

  /** {@link Source#first}. */
  static final class First<T> extends Ends<T, Optional<T>> {
    private Optional<T> first = Optional.empty();

    First(Source<T> source) {
      super(source);
    }

    @Override
    boolean accept(T item) {
      first = Optional.of(item);
      return false;
    }

    @Override
    Optional<T> result() {
      return first;
    }
  }
}
