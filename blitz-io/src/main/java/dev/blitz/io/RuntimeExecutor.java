package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.task.JoinHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A runtime as an {@link java.util.concurrent.ExecutorService}. Shutting it down leaves the runtime
 * running; closing the runtime ends the commands.
 *
 * <p>{@code shutdownNow} takes back the commands that have not begun. A command that runs is not
 * interrupted, by {@code cancel(true)} neither: it runs on a worker, whose interrupt status belongs
 * to all tasks.
 *
 * <p>Any thread may wait here, for a result or for the end: a virtual one leaves its worker, and a
 * worker is handed over to another thread first, since it may be the one that must run the command.
 */
/* Implementation notes
 *
 * shutdown, active and each command's ended are guarded by `lock`, under which nobody waits: it keeps a virtual
 * thread on its worker. `terminated` is opened once, by whoever makes shutdown && active == 0 true, after it has left
 * the lock.
 */
class RuntimeExecutor extends AbstractExecutorService {
  private final BlitzRuntime runtime;
  private final PinnedLock lock = new PinnedLock();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private final Set<Command> waiting = ConcurrentHashMap.newKeySet();
  private boolean shutdown;
  private int active;

  RuntimeExecutor(BlitzRuntime runtime) {
    this.runtime = runtime;
  }

  /** A command that runs once at most: on a worker, or never when it is taken back. */
  private final class Command {
    final Runnable body;

    /** Guarded by lock. */
    boolean ended;

    /** Set once the task is there; whoever takes the command back cancels it. */
    volatile @Nullable JoinHandle<Done> task;

    volatile boolean takenBack;

    Command(Runnable body) {
      this.body = body;
    }

    void takeBack() {
      takenBack = true;
      JoinHandle<Done> t = task;
      if (t != null) {
        t.cancel();
      }
    }

    Done run() {
      if (waiting.remove(this)) {
        body.run();
      }
      return Done.DONE;
    }
  }

  @Override
  public final void execute(Runnable body) {
    Objects.requireNonNull(body, "command");
    spawn(body, run -> run).detach();
  }

  /**
   * Starts a task that runs {@code body} in a way that {@code shape} decides; it is given the
   * future that runs the body once.
   */
  final JoinHandle<Done> spawn(Runnable body, UnaryOperator<Future<Done>> shape) {
    StackRoom.forMany();
    var command = new Command(body);
    lock.lock();
    try {
      if (shutdown) {
        throw new RejectedExecutionException("this executor of " + runtime + " is shut down");
      }
      active++;
    } finally {
      lock.unlock();
    }
    try {
      waiting.add(command);
      Future<Done> future = shape.apply(Futures.lazy(command::run));
      JoinHandle<Done> task = runtime.spawn(future.whenDone(() -> end(command)));
      command.task = task;
      if (command.takenBack) {
        task.cancel();
      }
      return task;
    } catch (Throwable t) {
      end(command);
      throw t;
    }
  }

  /** Comes twice for a command that could neither be queued nor kept. */
  private void end(Command command) {
    try {
      if (waiting.remove(command) && command.body instanceof java.util.concurrent.Future<?> f) {
        f.cancel(false); // it will never run: whoever waits for its result must know
      }
    } finally {
      countEnd(command);
    }
  }

  private void countEnd(Command command) {
    boolean last;
    lock.lock();
    try {
      if (command.ended) {
        return;
      }
      command.ended = true;
      active--;
      last = isOver();
    } finally {
      lock.unlock();
    }
    if (last) {
      terminated.countDown();
    }
  }

  /** Under the lock. */
  private boolean isOver() {
    return shutdown && active == 0;
  }

  @Override
  public void shutdown() {
    boolean over;
    lock.lock();
    try {
      shutdown = true;
      over = isOver();
    } finally {
      lock.unlock();
    }
    if (over) {
      terminated.countDown();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    List<Runnable> takenBack = new ArrayList<>();
    for (Command c : List.copyOf(waiting)) {
      if (waiting.remove(c)) {
        takenBack.add(c.body);
        c.takeBack();
      }
    }
    return takenBack;
  }

  @Override
  public final boolean isShutdown() {
    lock.lock();
    try {
      return shutdown;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean isTerminated() {
    lock.lock();
    try {
      return isOver();
    } finally {
      lock.unlock();
    }
  }

  // --- Waiting ---

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    if (!isTerminated() && timeout > 0) {
      Current.leaveWorker();
    }
    return terminated.await(timeout, unit);
  }

  @Override
  public final <T> T invokeAny(Collection<? extends Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    Current.leaveWorker();
    return super.invokeAny(tasks);
  }

  @Override
  public final <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    Current.leaveWorker();
    return super.invokeAny(tasks, timeout, unit);
  }

  /** The result of a command. It cannot interrupt: its thread is a worker. */
  static class Result<V> extends FutureTask<V> {
    Result(Callable<V> body) {
      super(body);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      return super.cancel(false);
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
      leaveWorkerUnlessDone();
      return super.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      leaveWorkerUnlessDone();
      return super.get(timeout, unit);
    }

    private void leaveWorkerUnlessDone() {
      if (!isDone()) {
        Current.leaveWorker();
      }
    }
  }

  @Override
  protected final <T> RunnableFuture<T> newTaskFor(Callable<T> body) {
    return new Result<>(body);
  }

  @Override
  protected final <T> RunnableFuture<T> newTaskFor(Runnable body, T value) {
    return new Result<>(Executors.callable(body, value));
  }
}
