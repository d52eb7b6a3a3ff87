package dev.blitz.io.future;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@link Select#first}: a race whose result says which place it was. */
final class SelectFuture<R> implements Future<R>, FairOrder.Choice {
  private final FirstFuture<Object> race;

  SelectFuture(Future<?>... futures) {
    race = new FirstFuture<>(Arrays.asList(futures), true);
  }

  @Override
  public void drawOrder(FairOrder fair) {
    race.drawOrder(fair);
  }

  @Override
  @SuppressWarnings("unchecked") // the factory knows which places there are
  public @Nullable R poll(Context cx) throws Exception {
    Selected<Object> selected = race.poll(cx);
    return selected == null ? null : (R) result(selected.index(), selected.value());
  }

  private static Object result(int place, Object value) {
    return switch (place) {
      case 0 -> new Select.First<>(value);
      case 1 -> new Select.Second<>(value);
      case 2 -> new Select.Third<>(value);
      default -> new Select.Fourth<>(value);
    };
  }

  @Override
  public void drop() {
    race.drop();
  }

  @Override
  public String toString() {
    return race.toString();
  }
}
