package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A source that is not made of stages: a receiver, an interval, one of a user's. */
final class ForeignStage<T> extends Stage<T> {
  private final Source<T> source;

  ForeignStage(Source<T> source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  @Nullable T pull(Context cx) throws Exception {
    T item = source.pollNext(cx);
    if (item == null) {
      ended = source.hasEnded();
    }
    return item;
  }

  @Override
  void forget() {
    source.forgetNext();
  }

  @Override
  void release() {
    try {
      source.forgetNext();
    } finally {
      source.close();
    }
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
