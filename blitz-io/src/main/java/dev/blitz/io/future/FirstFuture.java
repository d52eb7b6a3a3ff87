package dev.blitz.io.future;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The first of several futures to end, by value or failure; earlier ones in the list (from {@code
 * start} on, then from its beginning) win a tie. The others are dropped (race) or handed back to
 * the caller unharmed (select).
 */
final class FirstFuture<T> implements Future<Selected<T>> {
  private final @Nullable Future<? extends T>[] futures;
  private final boolean dropLosers;
  private final int start;

  FirstFuture(List<? extends Future<? extends T>> futures, boolean dropLosers) {
    this(futures, dropLosers, 0);
  }

  /** {@code start}: the one that is asked first in each poll. */
  FirstFuture(List<? extends Future<? extends T>> futures, boolean dropLosers, int start) {
    if (futures.isEmpty()) {
      throw new IllegalArgumentException("no futures to choose from: this would never end");
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    @Nullable Future<? extends T>[] array = futures.toArray(new Future[0]);
    for (var f : array) {
      Objects.requireNonNull(f, "future");
    }
    this.futures = array;
    this.dropLosers = dropLosers;
    this.start = start;
  }

  @Override
  public @Nullable Selected<T> poll(Context cx) throws Exception {
    for (int n = 0; n < futures.length; n++) {
      int i = start + n < futures.length ? start + n : start + n - futures.length;
      Future<? extends T> f = futures[i];
      if (f == null) {
        throw new IllegalStateException("polled after completion: " + this);
      }
      T value;
      try {
        value = f.poll(cx);
      } catch (Throwable t) {
        end(i);
        throw t;
      }
      if (value != null) {
        end(i);
        return new Selected<>(i, value);
      }
    }
    return null;
  }

  private void end(int winner) {
    futures[winner] = null;
    if (dropLosers) {
      Drops.all(futures);
    } else {
      Arrays.fill(futures, null);
    }
  }

  @Override
  public void drop() {
    Drops.all(futures);
  }

  @Override
  public String toString() {
    var waiting = new StringJoiner(", ", "first of ", "");
    for (var f : futures) {
      if (f != null) {
        waiting.add(f.toString());
      }
    }
    return waiting.toString();
  }
}
