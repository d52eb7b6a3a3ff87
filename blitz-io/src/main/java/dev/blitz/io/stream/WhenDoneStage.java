package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Source#whenDone}. */
final class WhenDoneStage<T> extends Stage<T> {
  private final Stage<T> from;
  private final Future.Cleanup cleanup;

  private WhenDoneStage(Stage<T> from, Future.Cleanup cleanup) {
    this.from = from;
    this.cleanup = cleanup;
  }

  static <T> Stage<T> of(Source<T> source, Future.Cleanup cleanup) {
    Objects.requireNonNull(cleanup, "cleanup");
    return new WhenDoneStage<>(Stage.of(source), cleanup);
  }

  @Override
  @Nullable T pull(Context cx) throws Exception {
    T item = from.pull(cx);
    ended = item == null && from.ended;
    return item;
  }

  @Override
  int inputs() {
    return 1;
  }

  @Override
  Stage<?> input(int i) {
    return from;
  }

  @Override
  void release() throws Exception {
    cleanup.run();
  }

  @Override
  public String toString() {
    return from.toString();
  }
}
