package dev.blitz.io.task;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.current.Bindings;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value that code deep inside a task can see without being given it: a request id, a principal, a
 * trace. It is never set, only bound for the extent of a future or a call, and restored after it.
 *
 * {@snippet :
 * static final TaskLocal<String> REQUEST = TaskLocal.of("request");
 *
 * Future<Page> handle(String id) {
 *   return REQUEST.bind(id, load().map(page -> page.withFooter(REQUEST.get())));
 * }
 * }
 *
 * <p><b>Inheritance:</b> a task, and a blocking task, starts with the bindings that were in force
 * where it was spawned, on whatever thread and runtime that was. It keeps that snapshot: what its
 * spawner binds later does not reach it, and what it binds does not reach its spawner.
 *
 * <p>Thread safe. A binding is in force during each poll of the bound future and during its drop,
 * and not between them: another task on the same worker never sees it. Reading takes time in
 * proportion to the number of nested bindings. Tasks that were spawned where nothing was bound cost
 * nothing more.
 */
public final class TaskLocal<T> {
  private final String name;
  private final @Nullable T initial;

  private TaskLocal(String name, @Nullable T initial) {
    this.name = Objects.requireNonNull(name, "name");
    this.initial = initial;
  }

  /** A task-local that has no value where none is bound; the name appears in messages. */
  public static <T> TaskLocal<T> of(String name) {
    return new TaskLocal<>(name, null);
  }

  /** A task-local that has the value {@code initial} where no other is bound. */
  public static <T> TaskLocal<T> withInitial(String name, T initial) {
    return new TaskLocal<>(name, Objects.requireNonNull(initial, "initial"));
  }

  /**
   * The value in force here, or the initial one.
   *
   * @throws IllegalStateException if there is neither
   */
  public T get() {
    T value = valueHere();
    if (value == null) {
      throw new IllegalStateException(
          "task-local '"
              + name
              + "' is not bound here: run the code inside bind(value, future), or make the"
              + " task-local with an initial value");
    }
    return value;
  }

  /** The value in force here, or the initial one, or none. */
  public Optional<T> find() {
    return Optional.ofNullable(valueHere());
  }

  @SuppressWarnings("unchecked") // bind and call put a T there
  private @Nullable T valueHere() {
    Object bound = Bindings.find(this);
    return bound == null ? initial : (T) bound;
  }

  /** Whether a value is bound here; the initial value does not count. */
  public boolean isBound() {
    return Bindings.find(this) != null;
  }

  /** Runs {@code future} with {@code value} bound. */
  @CheckReturnValue
  public <R> Future<R> bind(T value, Future<R> future) {
    return new BoundFuture<>(
        this, Objects.requireNonNull(value, "value"), Objects.requireNonNull(future, "future"));
  }

  /** As {@link #bind(Object, Future)}. */
  @CheckReturnValue
  public <R> IoFuture<R> bind(T value, IoFuture<R> future) {
    return Futures.io(bind(value, (Future<R>) future));
  }

  /** As {@link #bind(Object, Future)}. */
  @CheckReturnValue
  public <R> UncheckedFuture<R> bind(T value, UncheckedFuture<R> future) {
    return Futures.unchecked(bind(value, (Future<R>) future));
  }

  /** Calls {@code body} now, on this thread, with {@code value} bound. */
  public <R> R call(T value, ThrowingSupplier<? extends R> body) throws Exception {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(body, "body");
    Bindings before = Bindings.current();
    Bindings.swap(new Bindings(this, value, before));
    try {
      return body.get();
    } finally {
      Bindings.swap(before);
    }
  }

  /** The name. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "TaskLocal[" + name + "]";
  }
}
