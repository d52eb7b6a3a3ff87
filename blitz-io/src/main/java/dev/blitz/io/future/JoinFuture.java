package dev.blitz.io.future;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits for all of several futures. The first failure drops the rest and ends the join.
 *
 * <p>A slot of {@code futures} becomes null when that future has ended, so no future is polled or
 * dropped after its end.
 */
final class JoinFuture<R> implements Future<R> {
  private final @Nullable Future<?>[] futures;
  private final @Nullable Object[] results;
  private final Function<@Nullable Object[], R> assemble;

  /** How many have not yielded yet; {@link #ENDED} after the result or a failure. */
  private int pending;

  private static final int ENDED = -1;

  JoinFuture(Function<@Nullable Object[], R> assemble, Future<?>... futures) {
    this.futures = futures.clone();
    for (Future<?> f : futures) {
      Objects.requireNonNull(f, "future");
    }
    this.results = new @Nullable Object[futures.length];
    this.assemble = assemble;
    this.pending = futures.length;
  }

  static <T> JoinFuture<List<T>> ofAll(List<? extends Future<? extends T>> futures) {
    return new JoinFuture<>(JoinFuture::<T>asList, futures.toArray(Future<?>[]::new));
  }

  @SuppressWarnings("unchecked") // the results of futures of T; all are there when this runs
  private static <T> List<T> asList(@Nullable Object[] results) {
    return (List<T>) List.of(results);
  }

  @Override
  public @Nullable R poll(Context cx) throws Exception {
    if (pending == ENDED) {
      throw new IllegalStateException("polled after completion: join of " + futures.length);
    }
    for (int i = 0; i < futures.length; i++) {
      Future<?> f = futures[i];
      if (f != null) {
        pollOne(i, f, cx);
      }
    }
    if (pending > 0) {
      return null;
    }
    pending = ENDED;
    return assemble.apply(results);
  }

  private void pollOne(int i, Future<?> f, Context cx) throws Exception {
    Object value;
    try {
      value = f.poll(cx);
    } catch (Throwable t) {
      futures[i] = null;
      pending = ENDED;
      Drops.all(futures);
      throw t;
    }
    if (value != null) {
      futures[i] = null;
      results[i] = value;
      pending--;
    }
  }

  @Override
  public void drop() {
    Drops.all(futures);
  }

  @Override
  public String toString() {
    var waiting = new StringJoiner(", ", "join of ", "");
    for (Future<?> f : futures) {
      if (f != null) {
        waiting.add(f.toString());
      }
    }
    return waiting.toString();
  }
}
