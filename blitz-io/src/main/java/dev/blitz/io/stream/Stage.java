package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.current.Uncaught;
import org.jspecify.annotations.Nullable;

/**
 * One part of a source, from its leaf to its last operator. Stages are polled by the {@link
 * StageSource} around the last of them, and by nobody else; so they need not care for calls from
 * several threads, for a close in the middle of a poll, or for what becomes of the others when one
 * fails.
 */
/* Implementation notes
 *
 * After pull has thrown, or has yielded null with `ended`, it is not called again; the source then drops all stages.
 * A stage that ends by itself while those before it have not ended drops them at once.
 *
 * The walks over all stages (dropAll, forgetAll) use `link` for those yet to be visited: they take neither memory nor
 * stack, however many stages there are.
 */
abstract class Stage<T> {
  /**
   * Items that may come to nothing in one poll. A task has a budget; this is for those who have
   * none, so that a close or a cancellation is seen between two polls.
   */
  static final int ROUND = 1_024;

  /** Written by pull: it has yielded null, and there will be no more items. */
  boolean ended;

  /** What the user has of it; null once it is a part of something. */
  @Nullable StageSource<?> outer;

  private boolean dropped;
  private @Nullable Stage<?> link;

  /** The next item; null if there is none yet, or no more: {@link #ended} tells. */
  abstract @Nullable T pull(Context cx) throws Exception;

  /** How many stages it pulls from. */
  int inputs() {
    return 0;
  }

  /** One of them; null if it is no longer there. */
  @Nullable Stage<?> input(int i) {
    throw new IndexOutOfBoundsException(i);
  }

  /** How many of them belong to {@link #outer} already. */
  int adopted() {
    return 0;
  }

  /** Now all of them do. */
  void allAdopted() {}

  /** Gives back what this stage holds; those before it have done so. Called once. */
  void release() throws Exception {}

  /** Nobody waits for the poll that was pending: lets go of its waker. */
  void forget() {}

  /** What the user says, as one part of something new. */
  static <T> Stage<T> of(Source<T> source) {
    return source instanceof StageSource<T> own ? own.takeStage() : new ForeignStage<>(source);
  }

  /** Drops a stage and all before it, the first ones first. Harmless if repeated. */
  static void dropAll(Stage<?> last) {
    Stage<?> found = null;
    Stage<?> open = last;
    while (open != null) {
      Stage<?> stage = open;
      open = stage.link;
      stage.link = null;
      if (!stage.dropped) {
        stage.dropped = true;
        stage.ended = true;
        open = stage.withInputs(open);
        stage.link = found;
        found = stage;
      }
    }
    while (found != null) {
      Stage<?> stage = found;
      found = stage.link;
      stage.link = null;
      try {
        stage.release();
      } catch (Throwable t) {
        Uncaught.report("close() of " + stage.getClass().getName(), t);
      }
    }
  }

  /** Lets a stage and all before it forget their wakers. */
  static void forgetAll(Stage<?> last) {
    Stage<?> open = last;
    while (open != null) {
      Stage<?> stage = open;
      open = stage.link;
      stage.link = null;
      if (!stage.dropped) {
        open = stage.withInputs(open);
        stage.forget();
      }
    }
  }

  private @Nullable Stage<?> withInputs(@Nullable Stage<?> open) {
    Stage<?> first = open;
    for (int i = inputs() - 1; i >= 0; i--) {
      Stage<?> input = input(i);
      if (input != null) {
        input.link = first;
        first = input;
      }
    }
    return first;
  }
}
