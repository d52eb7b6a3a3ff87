package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.base.Values;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stages that begin a source. Those that may be ready for ever charge for each item. */
final class Leaves {
  private Leaves() {}

  static final class Empty<T> extends Stage<T> {
    @Override
    @Nullable T pull(Context cx) {
      ended = true;
      return null;
    }

    @Override
    public String toString() {
      return "nothing";
    }
  }

  static final class Failed<T> extends Stage<T> {
    private final Exception cause;

    Failed(Exception cause) {
      this.cause = Objects.requireNonNull(cause, "cause");
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      throw cause;
    }

    @Override
    public String toString() {
      return "a failure";
    }
  }

  /** {@link Source#from(Iterable)}. */
  static final class Each<T> extends Stage<T> {
    private @Nullable Iterable<? extends T> items;
    private @Nullable Iterator<? extends T> iterator;

    Each(Iterable<? extends T> items) {
      this.items = Objects.requireNonNull(items, "items");
    }

    @Override
    @Nullable T pull(Context cx) {
      if (!cx.proceed()) {
        return null;
      }
      Iterator<? extends T> at = iterator;
      if (at == null) {
        at = Objects.requireNonNull(items).iterator();
        iterator = at;
      }
      if (at.hasNext()) {
        return Objects.requireNonNull(at.next(), "a source has no null items");
      }
      ended = true;
      return null;
    }

    @Override
    void release() {
      items = null;
      iterator = null;
    }

    @Override
    public String toString() {
      return "an Iterable";
    }
  }

  /** {@link Source#generate}. */
  static final class Generate<T> extends Stage<T> {
    private final ThrowingSupplier<? extends T> supplier;

    Generate(ThrowingSupplier<? extends T> supplier) {
      this.supplier = Objects.requireNonNull(supplier, "supplier");
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      return cx.proceed() ? Values.nonNull(supplier.get(), "generator", supplier) : null;
    }

    @Override
    public String toString() {
      return "a generator " + Telling.site(supplier);
    }
  }

  /** {@link Source#unfold} and {@link Source#repeat}. */
  static final class Unfold<T> extends Stage<T> {
    private final ThrowingSupplier<? extends Future<Optional<T>>> steps;
    private final boolean forgets;
    private @Nullable Future<Optional<T>> step;

    /** {@code forgets}: a future that nobody waits for is dropped, and another one made later. */
    Unfold(ThrowingSupplier<? extends Future<Optional<T>>> steps, boolean forgets) {
      this.steps = Objects.requireNonNull(steps, "steps");
      this.forgets = forgets;
    }

    @Override
    @Nullable T pull(Context cx) throws Exception {
      Future<Optional<T>> now = step;
      if (now == null) {
        if (!cx.proceed()) { // the futures may all be ready
          return null;
        }
        now =
            Values.nonNull(
                steps.get(), "unfold function", steps, "a future; an empty result ends it");
        step = now;
      }
      Optional<T> item;
      try {
        item = now.poll(cx);
      } catch (Throwable t) {
        step = null; // it has ended
        throw t;
      }
      if (item == null) {
        return null;
      }
      step = null;
      ended = item.isEmpty();
      return item.orElse(null);
    }

    @Override
    void forget() {
      if (forgets) {
        release();
      }
    }

    @Override
    void release() {
      Future<?> now = step;
      step = null;
      if (now != null) {
        now.drop();
      }
    }

    @Override
    public String toString() {
      return step == null ? "the next step of an unfold" : step.toString();
    }
  }
}
