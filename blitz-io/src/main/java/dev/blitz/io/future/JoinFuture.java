package dev.blitz.io.future;

import dev.blitz.io.internal.wait.Branch;
import dev.blitz.io.internal.wait.Branches;
import java.util.List;
import java.util.Objects;
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

  /** Null if there are few. */
  private final @Nullable Branches branches;

  /** Of few: who is first in the next poll; the one for whom no budget was left in the last. */
  private int first;

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
    this.branches = Branches.forMany(futures.length);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // all results are there when the join assembles them
  static <A, B> JoinFuture<Both<A, B>> of(Future<A> first, Future<B> second) {
    return new JoinFuture<>(r -> new Both<>((A) r[0], (B) r[1]), first, second);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // as above
  static <A, B, C> JoinFuture<Three<A, B, C>> of(
      Future<A> first, Future<B> second, Future<C> third) {
    return new JoinFuture<>(r -> new Three<>((A) r[0], (B) r[1], (C) r[2]), first, second, third);
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
      throw new IllegalStateException(
          "this join of " + futures.length + " was already awaited or dropped; make a new one");
    }
    if (branches == null) {
      pollFew(cx);
    } else {
      pollWoken(branches, cx);
    }
    if (pending > 0) {
      return null;
    }
    end();
    return assemble.apply(results);
  }

  private void pollFew(Context cx) throws Exception {
    for (int polled = 0; polled < futures.length && cx.mayProceed(); polled++) {
      int i = first;
      first = i + 1 == futures.length ? 0 : i + 1;
      pollOne(i, cx);
    }
  }

  private void pollWoken(Branches woken, Context cx) throws Exception {
    try {
      woken.begin(cx);
    } catch (Throwable t) { // no memory or stack: it has ended, and nobody else would drop them
      drop();
      throw t;
    }
    try {
      for (Branch branch = woken.next(); branch != null; branch = woken.next()) {
        pollOne(branch.place, branch);
      }
    } finally {
      woken.end();
    }
  }

  private void pollOne(int i, Context cx) throws Exception {
    Future<?> f = futures[i];
    if (f == null) {
      return;
    }
    Object value;
    try {
      value = f.poll(cx);
    } catch (Throwable t) {
      futures[i] = null;
      end();
      Drops.all(futures);
      throw t;
    }
    if (value != null) {
      futures[i] = null;
      results[i] = value;
      pending--;
    }
  }

  private void end() {
    pending = ENDED;
    if (branches != null) {
      branches.close();
    }
  }

  @Override
  public void drop() {
    end();
    Drops.all(futures);
  }

  @Override
  public String toString() {
    return WaitText.of("join of ", futures);
  }
}
