package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Uncaught;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Future#whenDone}. */
final class WhenDoneFuture<T> implements Future<T> {
  private final Future<T> source;
  private final Cleanup cleanup;

  WhenDoneFuture(Future<T> source, Cleanup cleanup) {
    this.source = source;
    this.cleanup = Objects.requireNonNull(cleanup, "cleanup");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    T value;
    try {
      value = source.poll(cx);
    } catch (Throwable failure) {
      try {
        cleanup.run();
      } catch (Throwable second) {
        if (!Telling.suppress(failure, second)) {
          Uncaught.report("whenDone of " + Telling.of(source), second);
        }
      }
      throw failure;
    }
    if (value != null) {
      cleanup.run();
    }
    return value;
  }

  @Override
  public void drop() {
    Drops.both(source, cleanup);
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
