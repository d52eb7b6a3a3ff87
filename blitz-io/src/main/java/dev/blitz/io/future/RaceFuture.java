package dev.blitz.io.future;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Futures#race}: the value of the first to end; the others are dropped. */
final class RaceFuture<T> implements Future<T>, FairOrder.Choice {
  private final FirstFuture<T> first;

  RaceFuture(List<? extends Future<? extends T>> futures) {
    first = new FirstFuture<>(futures, true);
  }

  @Override
  public void drawOrder(FairOrder fair) {
    first.drawOrder(fair);
  }

  /** As {@link FirstFuture#hasAskedAll}. */
  boolean hasAskedAll() {
    return first.hasAskedAll();
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    Selected<T> selected = first.poll(cx);
    return selected == null ? null : selected.value();
  }

  @Override
  public void drop() {
    first.drop();
  }

  @Override
  public String toString() {
    return first.toString();
  }
}
