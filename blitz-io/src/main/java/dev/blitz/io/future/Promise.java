package dev.blitz.io.future;

import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.internal.wait.WaitFuture;
import dev.blitz.io.internal.wait.Waiter;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A result that somebody will deliver once, and that any number may wait for: a value, a failure,
 * or the word that nothing will come.
 *
 * {@snippet :
 * Promise<Config> config = Promise.create();
 * Task.spawn(SpawnOptions.owning(config), () -> config.complete(load())); // closed in any case
 * Config first = config.future().await();
 * Config again = config.future().await(); // it stays
 * }
 *
 * <p>{@link #fulfil} makes any future one that many can wait for:
 *
 * {@snippet :
 * Promise<Page> page = Promise.create();
 * Task.spawn(page.fulfil(fetch(address))); // polled by one, seen by all
 * Future<Both<Page, Page>> twice = Futures.join(page.future(), page.future());
 * }
 *
 * <p>Thread safe; belongs to no runtime. Each call of {@link #future()} makes a future with one
 * owner, as all are; dropping it merely stops waiting, and takes constant time however many others
 * wait. A failure is thrown to each as a {@link CompletionException} of its own with the failure as
 * its cause, a cancellation as a {@link CancelledException}. What happened before the completion
 * happens before what follows a wait for it. A failure that nobody asks for is not reported.
 *
 * @param <T> the type of the value, which is never null
 */
/* Implementation notes
 *
 *   field    | writer                     | reader          | mode     | pairs with
 *   result   | the first end, with lock   | poll, isDone    | volatile | what happened before the end
 *   waiting  | polls, drops, the end      | the end         | its lock | once the result is there nobody enters
 */
public final class Promise<T> implements AutoCloseable {
  /** The cause is written before it becomes the result. */
  private static final class Failure {
    @Nullable Throwable cause;

    Failure(@Nullable Throwable cause) {
      this.cause = cause;
    }
  }

  /** For one who has no memory left to say more. */
  private static final Failure CLOSED =
      new Failure(new CancelledException("a promise was closed without a result"));

  private final @Nullable String name;
  private final LinkList waiting = new LinkList();
  private volatile @Nullable Object result;

  private Promise(@Nullable String name) {
    this.name = name;
  }

  /** A promise that is open. */
  public static <T> Promise<T> create() {
    return new Promise<>(null);
  }

  /** The same, with a name for messages and dumps. */
  public static <T> Promise<T> create(String name) {
    return new Promise<>(Objects.requireNonNull(name, "name"));
  }

  // --- Delivering ---

  /**
   * Delivers the value.
   *
   * @return whether this call was the one that ended the promise
   */
  public boolean complete(T value) {
    return end(Objects.requireNonNull(value, "value"));
  }

  /**
   * Delivers a failure. A {@link CancellationException} counts as a cancellation.
   *
   * @return whether this call was the one that ended the promise
   */
  public boolean fail(Throwable cause) {
    return end(new Failure(Objects.requireNonNull(cause, "cause")));
  }

  /**
   * If nothing has been delivered, nothing will be: those who wait and will come get a {@link
   * CancelledException}.
   */
  @Override
  public void close() {
    if (result == null) {
      Failure failure = CLOSED;
      try {
        failure = new Failure(new CancelledException(this + " was closed without a result"));
      } catch (OutOfMemoryError e) {
        end(failure); // those who wait must not wait for ever
        throw e;
      }
      end(failure);
    }
  }

  /**
   * Runs {@code source} and delivers how it ends, whatever that is; if this future is dropped
   * first, so is the source, and the promise is closed.
   */
  @CheckReturnValue
  public UncheckedFuture<Done> fulfil(Future<? extends T> source) {
    return new Fulfilment<>(this, Objects.requireNonNull(source, "source"));
  }

  private boolean end(Object outcome) {
    StackRoom.forCalls();
    Link all;
    waiting.lock();
    try {
      if (result != null) {
        return false;
      }
      result = outcome;
      all = waiting.takeAll();
      for (Link link = all; link != null; link = link.following()) {
        ((Wait<?>) link).settle(Wait.THERE);
      }
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(all);
    return true;
  }

  // --- Waiting ---

  /** Waits for the result, which may be there; one more of any number. */
  @CheckReturnValue
  public UncheckedFuture<T> future() {
    return new Wait<>(this);
  }

  /** Whether a value or a failure was delivered, or it was closed. */
  public boolean isDone() {
    return result != null;
  }

  /** Whether somebody waits; for tests. */
  boolean hasWaiters() {
    waiting.lock();
    try {
      return !waiting.isEmpty();
    } finally {
      waiting.unlock();
    }
  }

  private byte join(Wait<T> waiter, Waker waker) {
    waiting.lock();
    try {
      if (result != null) {
        return Wait.THERE;
      }
      waiter.enter(waiting, waker);
      return Waiter.UNSETTLED;
    } finally {
      waiting.unlock();
    }
  }

  private void leave(Wait<T> waiter) {
    waiting.lock();
    try {
      waiter.leave(waiting);
    } finally {
      waiting.unlock();
    }
  }

  @SuppressWarnings("unchecked") // what is no failure came in as a T
  private T take() {
    Object now = result;
    if (now instanceof Failure failure) {
      Throwable cause = Objects.requireNonNull(failure.cause, "a failure lost its cause");
      // New for each: stack and suppressed exceptions belong to the one who waited.
      if (cause instanceof CancellationException) {
        var cancelled = new CancelledException(String.valueOf(cause.getMessage()));
        cancelled.initCause(cause);
        throw cancelled;
      }
      throw new CompletionException(this + " failed: " + cause.getClass().getName(), cause);
    }
    if (now == null) {
      throw new AssertionError("a promise lost its result: " + this);
    }
    return (T) now;
  }

  @Override
  public String toString() {
    Object now = result;
    String state = now == null ? "open" : now instanceof Failure ? "failed" : "completed";
    return "Promise[" + (name == null ? "" : name + ", ") + state + "]";
  }

  private static final class Wait<T> extends WaitFuture<T> {
    static final byte THERE = 1;

    private final Promise<T> promise;

    Wait(Promise<T> promise) {
      super(promise.waiting);
      this.promise = promise;
    }

    @Override
    protected byte join(Waker waker) {
      return promise.isDone() ? THERE : promise.join(this, waker);
    }

    @Override
    protected T end(byte outcome) {
      return promise.take();
    }

    @Override
    protected void leave() {
      promise.leave(this);
    }

    @Override
    public String toString() {
      return "the result of " + promise;
    }
  }

  /** {@link #fulfil}. */
  private static final class Fulfilment<T> implements UncheckedFuture<Done> {
    private final Promise<T> promise;
    private final Future<? extends T> source;

    /** Made early: there may be no memory for it when it is needed. */
    private final Failure failure = new Failure(null);

    Fulfilment(Promise<T> promise, Future<? extends T> source) {
      this.promise = promise;
      this.source = source;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      StackRoom.forMany(); // what the source hands out must get into the promise, which asks again
      T value;
      try {
        value = source.poll(cx);
      } catch (Throwable t) {
        failure.cause = t;
        promise.end(failure);
        if (t instanceof VirtualMachineError e) {
          throw e; // for the runtime too
        }
        return Done.DONE;
      }
      if (value == null) {
        return null;
      }
      promise.complete(value);
      return Done.DONE;
    }

    @Override
    public void drop() {
      SafeCalls.drop(source);
      promise.close();
    }

    @Override
    public String toString() {
      return source.toString();
    }
  }
}
