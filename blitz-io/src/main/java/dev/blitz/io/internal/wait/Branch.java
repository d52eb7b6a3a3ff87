package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One branch of a wide combinator: the context it is polled with and the waker it keeps. What is
 * shared, and in which order, is told at {@link Branches}.
 */
public final class Branch implements Context, TaskPoll, Waker {
  private static final VarHandle MARKED =
      Fields.of(MethodHandles.lookup(), "marked", boolean.class);

  private final Branches all;

  /** Its place among the combinator's futures. */
  public final int place;

  /** The one that was marked before it; published by the push, then the owner's. */
  @Nullable Branch next;

  @SuppressWarnings("unused") // by MARKED
  private volatile boolean marked;

  Branch(Branches all, int place) {
    this.all = all;
    this.place = place;
  }

  /** The owner is about to poll it: a wake from now on marks it again. */
  void unmark() {
    MARKED.getAndSet(this, false);
  }

  @Override
  public void wake() {
    StackRoom.forCalls(); // a branch that is marked and not pushed would never be polled again
    if (!(boolean) MARKED.getAndSet(this, true)) {
      all.push(this);
    }
  }

  @Override
  public boolean isObsolete() {
    return all.isObsolete();
  }

  // --- As the context of the poll under way ---

  @Override
  public Waker waker() {
    return this;
  }

  @Override
  public @Nullable Object task() {
    return all.context() instanceof TaskPoll t ? t.task() : null;
  }

  @Override
  public @Nullable RuntimeTimers timers() {
    return all.context() instanceof TaskPoll t ? t.timers() : null;
  }

  @Override
  public boolean proceed() {
    if (all.context().proceed()) {
      return true;
    }
    all.stopPass();
    wake(); // the combinator has been woken, but would not know for whom
    return false;
  }

  @Override
  public void refund() {
    all.context().refund();
  }

  @Override
  public String toString() {
    return "branch " + place;
  }
}
