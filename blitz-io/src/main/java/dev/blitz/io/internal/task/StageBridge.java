package dev.blitz.io.internal.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A task as a {@link CompletableFuture}: completes with the task, and cancels it when cancelled.
 */
final class StageBridge<T> extends CompletableFuture<T> implements Waker {
  private final JoinHandle<T> task;

  private StageBridge(JoinHandle<T> task) {
    this.task = task;
  }

  static <T> CompletableFuture<T> of(JoinHandle<T> task) {
    var bridge = new StageBridge<>(task);
    bridge.wake();
    return bridge;
  }

  /** Takes the result if it is there, otherwise asks to be woken for it. */
  @Override
  public void wake() {
    @Nullable T value;
    try {
      value = task.poll(Context.of(this));
    } catch (CancelledException e) {
      super.cancel(false);
      return;
    } catch (TaskFailedException e) {
      completeExceptionally(e.getCause());
      return;
    } catch (Throwable t) {
      completeExceptionally(t); // out of memory or stack: whoever waits must not wait for ever
      return;
    }
    if (value != null) {
      complete(value);
    }
  }

  @Override
  public boolean isObsolete() {
    return isDone();
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    task.cancel();
    return super.cancel(mayInterruptIfRunning);
  }

  // --- Waiting: the worker may be needed for what is waited for ---

  @Override
  public T join() {
    leaveWorkerUnlessDone();
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    leaveWorkerUnlessDone();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    leaveWorkerUnlessDone();
    return super.get(timeout, unit);
  }

  private void leaveWorkerUnlessDone() {
    if (!isDone()) {
      Current.leaveWorker();
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
