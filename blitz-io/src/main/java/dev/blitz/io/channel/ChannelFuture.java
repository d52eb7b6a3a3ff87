package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/** An attempt that is repeated until it succeeds, waiting in between: the way all channels wait. */
abstract class ChannelFuture<R> extends WaitEntry implements UncheckedFuture<R> {
  private boolean ended;

  /** The result; null if it is necessary to wait. Throws when waiting would be in vain. */
  abstract @Nullable R attempt();

  /** Where it waits. */
  abstract WaitQueue queue();

  @Override
  public final @Nullable R poll(Context cx) {
    if (ended) {
      throw new IllegalStateException("polled after completion: " + this);
    }
    Stage stage = stage();
    if (stage == Stage.QUEUED && queue().stillQueued(this, cx.waker())) {
      return null; // others are called before it: no look
    }
    if (!cx.proceed()) {
      return null;
    }
    boolean newcomer = stage == Stage.NOT_WAITING;
    boolean look = !newcomer || !queue().isClosedToNewcomers();
    for (; ; ) {
      if (look) {
        R result = look();
        if (result != null) {
          return result;
        }
      }
      if (queue().enlist(this, cx.waker(), newcomer)) {
        cx.refund();
        return null;
      }
      look = true;
    }
  }

  private @Nullable R look() {
    try {
      R result = attempt();
      if (result != null) {
        end();
      }
      return result;
    } catch (RuntimeException e) {
      end();
      throw e;
    }
  }

  private void end() {
    ended = true;
    if (stage() != Stage.NOT_WAITING) {
      setStage(Stage.NOT_WAITING);
      queue().settle(this);
    }
  }

  @Override
  public final void drop() {
    ended = true;
    if (stage() != Stage.NOT_WAITING) {
      queue().abandon(this);
    }
  }
}
