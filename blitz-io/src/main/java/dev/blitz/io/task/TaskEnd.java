package dev.blitz.io.task;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Tells a {@link JoinAllFuture} that one of its tasks has ended, once. */
final class TaskEnd implements Waker {
  private static final VarHandle TOLD = Fields.of(MethodHandles.lookup(), "told", boolean.class);

  private final JoinAllFuture<?, ?> group;
  final JoinHandle<?> task;

  @SuppressWarnings("unused") // by TOLD
  private volatile boolean told;

  /** Link of the group's stack; published by the push, then the group's. */
  @Nullable TaskEnd next;

  TaskEnd(JoinAllFuture<?, ?> group, JoinHandle<?> task) {
    this.group = group;
    this.task = task;
  }

  /** Whether the caller is the one to tell. */
  boolean claim() {
    return TOLD.compareAndSet(this, false, true);
  }

  @Override
  public void wake() {
    if (claim()) {
      group.ended(this);
    }
  }

  @Override
  public boolean isObsolete() {
    return group.isOver();
  }

  @Override
  public String toString() {
    return "join of several tasks";
  }
}
