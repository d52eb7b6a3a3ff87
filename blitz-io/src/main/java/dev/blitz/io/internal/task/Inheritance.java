package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Bindings;
import dev.blitz.io.policy.SpawnHook;
import org.jspecify.annotations.Nullable;

/**
 * What a task takes over from the one who spawns it: the task-locals in force and what the spawn
 * hook captures. A task that takes over nothing is left as it is and costs nothing more; otherwise
 * its future is wrapped, so that neither the task cell nor its polls know of this.
 */
public final class Inheritance {
  private Inheritance() {}

  /** The future of a new task; called on the spawner's thread. */
  public static <T> Future<? extends T> of(Future<? extends T> future, @Nullable SpawnHook hook) {
    Bindings bindings = Bindings.current();
    Object captured = hook == null ? null : hook.capture();
    Future<? extends T> inner = future;
    if (hook != null && captured != null) {
      inner = new HookedFuture<T>(hook, captured, inner);
    }
    return bindings == null ? inner : new InheritingFuture<T>(bindings, inner);
  }

  /** Whether a task that the caller spawns takes over nothing, so that it need not be wrapped. */
  public static boolean isNone(@Nullable SpawnHook hook) {
    return hook == null && Bindings.current() == null;
  }

  /** The body of a new direct or blocking task; called on the spawner's thread. */
  public static <T> ThrowingSupplier<? extends T> of(
      ThrowingSupplier<? extends T> body, @Nullable SpawnHook hook) {
    Bindings bindings = Bindings.current();
    Object captured = hook == null ? null : hook.capture();
    ThrowingSupplier<? extends T> inner = body;
    if (hook != null && captured != null) {
      inner = new Hooked<T>(hook, captured, inner);
    }
    return bindings == null ? inner : new Inheriting<T>(bindings, inner);
  }

  /** A function with something around it. */
  public interface Wrapped {
    /** What it calls: a user's function, or another wrapped one. */
    Object inner();
  }

  /** The user's own function, whose class a message can name. */
  static Object origin(ThrowingSupplier<?> function) {
    Object f = function;
    while (f instanceof Wrapped w) {
      f = w.inner();
    }
    return f;
  }

  private record Hooked<T>(SpawnHook hook, Object captured, ThrowingSupplier<? extends T> inner)
      implements ThrowingSupplier<T>, Wrapped {
    @Override
    public T get() throws Exception {
      SpawnHook.Scope scope = hook.restore(captured);
      try {
        return inner.get();
      } finally {
        HookedFuture.close(scope);
      }
    }
  }

  private record Inheriting<T>(Bindings bindings, ThrowingSupplier<? extends T> inner)
      implements ThrowingSupplier<T>, Wrapped {
    @Override
    public T get() throws Exception {
      Bindings before = Bindings.swap(bindings);
      try {
        return inner.get();
      } finally {
        Bindings.swap(before);
      }
    }
  }
}
