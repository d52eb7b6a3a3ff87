package dev.blitz.io.task;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.current.Uncaught;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link CancelToken#onCancel}: in the token's list until the token is cancelled or it is closed.
 */
/*
 * Implementation notes
 *
 * Orderings
 *   field   | writer            | reader          | mode      | pairs with
 *   action  | runOnce, close    | runOnce, close  | swap      | whoever takes it out decides; it is forgotten with that
 *   later   | canceller         | canceller       | plain     | one thread: the callback was moved to it
 */
final class CancelCallback extends Link implements CancelToken.Registration {
  private static final VarHandle ACTION =
      Fields.of(MethodHandles.lookup(), "action", Runnable.class);

  private final CancelToken token;

  @SuppressWarnings("unused") // through ACTION
  private volatile @Nullable Runnable action;

  /** The next to run, in a canceller's chain. */
  private @Nullable CancelCallback later;

  CancelCallback(CancelToken token, Runnable action) {
    this.token = token;
    this.action = Objects.requireNonNull(action);
  }

  /** Runs the action unless it was run or taken back. */
  void runOnce() {
    Runnable mine = (Runnable) ACTION.getAndSet(this, null);
    if (mine == null) {
      return;
    }
    try {
      mine.run();
    } catch (Throwable t) {
      Uncaught.report("cancel action " + mine.getClass().getName(), t);
    }
  }

  @Override
  public void close() {
    if (ACTION.getAndSet(this, null) != null) {
      token.delist(this);
    }
  }

  @Override
  public String toString() {
    return "CancelToken.Registration[" + (action == null ? "over" : "waiting") + "]";
  }

  /** The callbacks that one canceller has to run, oldest first; made before it takes them. */
  static final class Chain {
    private @Nullable CancelCallback first;
    private @Nullable CancelCallback last;

    void add(CancelCallback callback) {
      if (last == null) {
        first = callback;
      } else {
        last.later = callback;
      }
      last = callback;
    }

    void run() {
      CancelCallback next = first;
      while (next != null) {
        next.runOnce();
        CancelCallback done = next;
        next = done.later;
        done.later = null;
      }
    }
  }
}
