package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.task.PinnedLock;
import dev.blitz.io.internal.task.StackRoom;
import dev.blitz.io.task.JoinHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A runtime as an {@link java.util.concurrent.ExecutorService}. Shutting it down leaves the runtime
 * running; closing the runtime ends the commands.
 *
 * <p>{@code shutdownNow} takes back the commands that have not begun. A command that runs is not
 * interrupted: it runs on a worker, which nothing may interrupt.
 */
class RuntimeExecutor extends AbstractExecutorService {
  private final BlitzRuntime runtime;
  private final PinnedLock lock = new PinnedLock();
  private final Condition ended = lock.newCondition();
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
    lock.lock();
    try {
      if (shutdown) {
        throw new RejectedExecutionException("this executor of " + runtime + " is shut down");
      }
      active++;
    } finally {
      lock.unlock();
    }
    var command = new Command(body);
    waiting.add(command);
    try {
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
    lock.lock();
    try {
      if (command.ended) {
        return;
      }
      command.ended = true;
      active--;
      if (active == 0) {
        ended.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void shutdown() {
    lock.lock();
    try {
      shutdown = true;
      if (active == 0) {
        ended.signalAll();
      }
    } finally {
      lock.unlock();
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
      return shutdown && active == 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long left = unit.toNanos(timeout);
    lock.lock();
    try {
      while (!(shutdown && active == 0)) {
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
