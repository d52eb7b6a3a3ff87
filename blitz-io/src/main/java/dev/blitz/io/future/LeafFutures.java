package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The futures that wait for nothing, and the one that waits for ever. */
final class LeafFutures {
  private LeafFutures() {}

  record Ready<T>(T value) implements UncheckedFuture<T> {
    Ready {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public T poll(Context cx) {
      return value;
    }
  }

  record Failed<T>(Exception cause) implements Future<T> {
    Failed {
      Objects.requireNonNull(cause, "cause");
    }

    @Override
    public T poll(Context cx) throws Exception {
      throw cause;
    }
  }

  enum Never implements UncheckedFuture<Object> {
    NEVER;

    @Override
    public @Nullable Object poll(Context cx) {
      return null;
    }

    @Override
    public String toString() {
      return "nothing (Futures.pending)";
    }
  }

  /** Calls a function in the first poll. */
  static final class Lazy<T> implements Future<T> {
    private final ThrowingSupplier<? extends T> supplier;
    private boolean called;

    Lazy(ThrowingSupplier<? extends T> supplier) {
      this.supplier = Objects.requireNonNull(supplier, "supplier");
    }

    @Override
    public T poll(Context cx) throws Exception {
      if (called) {
        throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
      }
      called = true;
      return Values.nonNull(supplier.get(), "lazy function", supplier);
    }

    @Override
    public String toString() {
      return "a lazy function " + Telling.site(supplier);
    }
  }
}
