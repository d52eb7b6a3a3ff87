package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.SafeCalls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resources that belong to one task and are closed once, by whoever comes first: the task's own
 * code at its end, or the cell when it ends without that code having run to its end.
 */
/* Implementation notes
 *
 *   field     | writer          | reader         | mode | pairs with
 *   taken     | take            | take           | CAS  | the first spawn wins
 *   left      | the constructor | take, the task | none | options are passed to spawn as any argument is
 *   left      | who closes      | who closes     | RMW  | getAndSet: exactly one gets the list; a handle that is kept
 *             |                 |                |      | does not keep the resources
 */
public final class Owned {
  private static final VarHandle LEFT = Fields.of(MethodHandles.lookup(), "left", List.class);
  private static final VarHandle TAKEN = Fields.of(MethodHandles.lookup(), "taken", boolean.class);

  @SuppressWarnings("unused") // through LEFT
  private @Nullable List<AutoCloseable> left;

  @SuppressWarnings("unused") // through TAKEN
  private boolean taken;

  /** Closed from the last to the first. */
  public Owned(AutoCloseable... resources) {
    left = List.of(resources);
  }

  /** All that either has. The same object if there is only one, so that it is closed only once. */
  static @Nullable Owned both(@Nullable Owned first, @Nullable Owned second) {
    if (first == null || second == null || first == second) {
      return first == null ? second : first;
    }
    if (!first.take() || !second.take()) {
      throw new IllegalStateException("these options have been used: make some for each task");
    }
    List<AutoCloseable> resources = new ArrayList<>(first.takeLeft());
    resources.addAll(second.takeLeft());
    return new Owned(resources.toArray(AutoCloseable[]::new));
  }

  @SuppressWarnings("unchecked") // what the constructor has put there
  private List<AutoCloseable> takeLeft() {
    Object list = LEFT.getAndSet(this, null);
    return list == null ? List.of() : (List<AutoCloseable>) list;
  }

  /** Whether the caller is the first who spawns a task with them. */
  boolean take() {
    return TAKEN.compareAndSet(this, false, true);
  }

  /** Closes what has not been closed; throws the first failure, with the others suppressed. */
  public void close() throws Exception {
    Throwable first = closeAll(null);
    switch (first) {
      case null -> {}
      case Exception e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(first);
    }
  }

  /** Closes what has not been closed; failures are suppressed in {@code failure}. */
  void closeInto(Throwable failure) {
    closeAll(failure);
  }

  private @Nullable Throwable closeAll(@Nullable Throwable before) {
    Throwable first = before;
    for (AutoCloseable resource : takeLeft().reversed()) {
      try {
        resource.close();
      } catch (Throwable t) {
        if (first == null) {
          first = t;
        } else {
          suppress(first, t);
        }
      }
    }
    return first;
  }

  /** Whatever comes of it: there are others to close. */
  private static void suppress(Throwable first, Throwable second) {
    try {
      if (!Telling.suppress(first, second)) {
        Uncaught.report("close() of what a task owned", second);
      }
    } catch (Throwable untold) {
      // No memory for the list.
    }
  }

  /** A user's future as in a try block, which a drop ends too. */
  record ClosingFuture<T>(Owned owned, Future<? extends T> inner) implements Future<T> {
    @Override
    public @Nullable T poll(Context cx) throws Exception {
      T value;
      try {
        value = inner.poll(cx);
      } catch (Throwable t) {
        owned.closeInto(t);
        throw t;
      }
      if (value != null) {
        owned.close();
      }
      return value;
    }

    @Override
    public void drop() {
      SafeCalls.drop(inner);
      try {
        owned.close();
      } catch (Throwable t) {
        Uncaught.report("close() of what a task owned", t);
      }
    }

    @Override
    public String toString() {
      return inner.toString();
    }
  }

  /** A user's function as in a try block. */
  record Closing<T>(Owned owned, ThrowingSupplier<? extends T> inner)
      implements ThrowingSupplier<T>, Inheritance.Wrapped {
    @Override
    public T get() throws Exception {
      T value;
      try {
        value = inner.get();
      } catch (Throwable t) {
        owned.closeInto(t);
        throw t;
      }
      owned.close();
      return value;
    }
  }
}
