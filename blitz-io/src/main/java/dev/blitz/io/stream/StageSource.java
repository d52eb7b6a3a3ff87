package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.Telling;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A source made of stages: what a user sees of them. Guards them ({@link UseState}), drops them
 * when they have ended or failed, and lets through what its kind may throw.
 */
abstract class StageSource<T> extends UseState implements Source<T> {
  final Stage<T> stage;

  private StageSource(Stage<T> stage) {
    this.stage = stage;
    boolean open = adopts(stage);
    for (int i = stage.adopted(); i < stage.inputs(); i++) {
      Stage<?> input = stage.input(i);
      open &= input == null || adopts(input);
    }
    stage.allAdopted();
    stage.outer = this;
    if (!open) {
      closeAll();
    }
  }

  private boolean adopts(Stage<?> part) {
    StageSource<?> before = part.outer;
    part.outer = null;
    return before == null || before.givenTo(this);
  }

  /** The same source for those who poll stages. */
  static <T> StageSource<T> of(Source<T> source) {
    return source instanceof StageSource<T> own ? own : new Any<>(new ForeignStage<>(source));
  }

  /** What an operator takes; after that this is only good for closing. */
  final Stage<T> takeStage() {
    return take() ? stage : new Leaves.Empty<>();
  }

  final @Nullable T poll(Context cx) throws Exception {
    if (!enter()) {
      return null;
    }
    T item;
    try {
      item = stage.pull(cx);
    } catch (Throwable t) {
      end();
      throw t;
    }
    if (item == null && stage.ended) {
      end();
    } else {
      leave(item == null ? cx.waker() : null);
    }
    return item;
  }

  @Override
  public final boolean hasEnded() {
    return isOver();
  }

  @Override
  public final void forgetNext() {
    if (enterToForget()) {
      try {
        Stage.forgetAll(stage);
      } catch (Throwable t) {
        end();
        throw t;
      }
      leave(null);
    }
  }

  @Override
  public final void close() {
    closeAll();
  }

  @Override
  final void dropAll() {
    Stage.dropAll(stage);
  }

  @Override
  public final String toString() {
    return "Source[" + stage + "]";
  }

  /** Throws anything. */
  static final class Any<T> extends StageSource<T> {
    Any(Stage<T> stage) {
      super(stage);
    }

    @Override
    public @Nullable T pollNext(Context cx) throws Exception {
      return poll(cx);
    }
  }

  /** Throws nothing checked but an IOException. */
  static final class Io<T> extends StageSource<T> implements IoSource<T> {
    Io(Stage<T> stage) {
      super(stage);
    }

    @Override
    public @Nullable T pollNext(Context cx) throws IOException {
      try {
        return poll(cx);
      } catch (Exception e) {
        throw Telling.io(e);
      }
    }
  }

  /** Throws nothing checked. */
  static final class Unchecked<T> extends StageSource<T> implements UncheckedSource<T> {
    Unchecked(Stage<T> stage) {
      super(stage);
    }

    @Override
    public @Nullable T pollNext(Context cx) {
      try {
        return poll(cx);
      } catch (Exception e) {
        throw Telling.unchecked(e);
      }
    }
  }
}
