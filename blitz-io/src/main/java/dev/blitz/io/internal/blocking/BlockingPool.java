package dev.blitz.io.internal.blocking;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.ThreadJoin;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.task.JoinHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one lane, for code that blocks: started on demand up to a cap, ended after a while
 * without work. Tasks start in the order of their submission.
 */
/* Implementation notes
 *
 * Everything is guarded by `lock`. Three of the metrics are written under it and read by anyone; `submitted` does
 * without. From the moment a call is in a list until it runs or is taken back no memory is needed: it has its place in
 * the lists itself.
 *
 * A submitter that finds an idle thread takes it out of the idle count at once and leaves a notification for
 * it, so two quick submits never count on the same thread. A waiting thread goes on for a notification
 * only; a spurious wake-up finds none and waits again. A notified thread that finds the queue empty (a busy
 * one was quicker) becomes idle again.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // the volatile counts are written under the lock
public final class BlockingPool {
  // What a close tells calls; made beforehand, as there may be no memory then.

  private static final Consumer<BlockingCell<?>> CANCEL = BlockingCell::cancelUnlessMandatory;
  private static final Consumer<BlockingCell<?>> WITHDRAW = BlockingCell::withdraw;
  private static final Consumer<BlockingCell<?>> END = BlockingCell::endWithoutResult;

  private final Home home;
  private final String threadPrefix;
  private final int cap;
  private final long keepAliveNanos;
  private final Machine machine;
  private final @Nullable BlockingPool cancels;

  private final PinnedLock lock = new PinnedLock();
  private final Condition work = lock.newCondition();
  private final Condition interrupted = lock.newCondition();
  private final Set<BlockingThread> threads = new LinkedHashSet<>();
  private final CellList queued = new CellList();
  private final CellList running = new CellList();
  private int notifications;
  private int threadNumber;
  private boolean shutdown;

  private volatile int threadCount;
  private volatile int idleCount;
  private volatile int queueLength;
  private final AtomicLong submitted = new AtomicLong();

  /**
   * Starts no thread yet. {@code cancels}: where its calls' cancel actions run, if they may have
   * any.
   */
  BlockingPool(
      Home home,
      String threadPrefix,
      int cap,
      Duration keepAlive,
      Machine machine,
      @Nullable BlockingPool cancels) {
    this.cancels = cancels;
    this.home = home;
    this.threadPrefix = threadPrefix;
    this.cap = cap;
    this.keepAliveNanos = TickClock.saturatedNanos(keepAlive);
    this.machine = machine;
  }

  /** The runtime it belongs to. */
  Home home() {
    return home;
  }

  /**
   * Queues a call. A mandatory one runs even if the runtime is closed before its turn.
   *
   * @throws RejectedExecutionException if the pool is closed, or has no thread and cannot start one
   */
  public <T> JoinHandle<T> submit(
      ThrowingSupplier<? extends T> body, boolean mandatory, @Nullable TaskExtras extras) {
    StackRoom.forWake();
    submitted.incrementAndGet();
    var cell = new BlockingCell<T>(this, body, mandatory, extras);
    enqueue(cell);
    return cell;
  }

  /** Nothing happens to a cell that is in the pool already, or has ended. */
  private void enqueue(BlockingCell<?> cell) {
    @Nullable FailedStart failed = null;
    lock.lock();
    try {
      if (cell.place.isLinked() || cell.isDone()) {
        return;
      }
      if (shutdown) {
        throw new RejectedExecutionException(
            "the runtime is closed: its blocking pool takes no new tasks");
      }
      queued.add(cell);
      queueLength++;
      try {
        failed = callThread();
      } catch (Throwable t) { // whoever submitted it is told that nobody runs it
        unlink(cell);
        throw t;
      }
    } finally {
      lock.unlock();
    }
    if (failed != null) { // the user's handler is called without the lock
      home.failures().notStarted(failed.name, " (others will run its task)", failed.cause);
    }
  }

  /**
   * Takes a call of this pool back that no thread has begun; it ends as cancelled. One that runs is
   * left alone: unlike a cancellation this interrupts nobody. Needs {@link StackRoom#forCalls}.
   */
  public void withdraw(JoinHandle<?> call) {
    if (call instanceof BlockingCell<?> cell && cell.pool() == this) {
      cell.withdraw();
    }
  }

  /** A thread that could not be started. */
  private record FailedStart(String name, Throwable cause) {}

  /** Has a thread look at the queue. */
  private @Nullable FailedStart callThread() {
    if (idleCount > 0) {
      idleCount--;
      notifications++;
      work.signal();
      return null;
    }
    return threadCount < cap ? startThread() : null;
  }

  private @Nullable FailedStart startThread() {
    // Those that left stay until they have ended, since a close waits for them.
    threads.removeIf(t -> t.left && !t.isAlive());
    var thread = new BlockingThread(home, this, threadPrefix + threadNumber++);
    threadCount++;
    try {
      threads.add(thread);
      machine.start(thread);
      return null;
    } catch (Throwable failure) {
      if (thread.getState() != Thread.State.NEW) {
        return null; // it runs all the same, and counts itself out
      }
      threads.remove(thread);
      threadCount--;
      if (threadCount == 0) {
        throw new RejectedExecutionException(
            "cannot start " + thread.getName() + ": " + failure, failure);
      }
      return new FailedStart(thread.getName(), failure);
    }
  }

  private @Nullable BlockingCell<?> takeQueued() {
    BlockingCell<?> cell = queued.takeFirst();
    if (cell != null) {
      queueLength--;
    }
    return cell;
  }

  /** Takes a cell out of the queue; false if it is not there any more. */
  private boolean unlink(BlockingCell<?> cell) {
    if (cell.runner != null || !queued.remove(cell)) {
      return false; // where it is then is the list of those that run
    }
    queueLength--;
    return true;
  }

  /** As {@link #unlink}, without the lock. */
  boolean removeQueued(BlockingCell<?> cell) {
    lock.lock();
    try {
      return unlink(cell);
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts the call's thread, without the lock: that may close a channel of the user's. */
  void interruptRunner(BlockingCell<?> cell) {
    Thread runner;
    lock.lock();
    try {
      runner = cell.runner;
      if (runner == null) {
        return;
      }
      cell.interrupters++;
    } finally {
      lock.unlock();
    }
    try {
      SafeCalls.interrupt(runner, home);
    } finally {
      interruptEnded(cell);
    }
  }

  /** What runs the action that stops {@code cell}, where it may block. */
  BlockingCell<Done> stopper(BlockingCell<?> cell, CancelAction action) {
    return new BlockingCell<>(
        Objects.requireNonNull(cancels),
        () -> {
          action.run(home.failures(), cell.label());
          return Done.DONE;
        },
        false,
        null);
  }

  /**
   * Has the stopper of a call run, unless it has been asked to or no thread is at the call, which
   * then does not run. If no thread can be had for the stopper, it may be asked again.
   */
  void stop(BlockingCell<?> cell, BlockingCell<Done> stopper) {
    BlockingPool lane = stopper.pool();
    if (!hasRunner(cell) || lane.isShutdown()) {
      return;
    }
    try {
      lane.enqueue(stopper);
    } catch (Throwable t) { // whoever cancels has others to cancel
      cell.tryTell("the cancel action of", t);
    }
  }

  private boolean hasRunner(BlockingCell<?> cell) {
    lock.lock();
    try {
      return cell.runner != null;
    } finally {
      lock.unlock();
    }
  }

  private boolean isShutdown() {
    lock.lock();
    try {
      return shutdown;
    } finally {
      lock.unlock();
    }
  }

  private void interruptEnded(BlockingCell<?> cell) {
    lock.lock();
    try {
      cell.interrupters--;
      interrupted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // --- The threads ---

  void drive(BlockingThread self) {
    lock.lock();
    try {
      do {
        runQueued(self);
      } while (waitForWork());
    } finally {
      self.left = true;
      threadCount--;
      lock.unlock();
    }
    tellClock(); // a manual clock that looked a moment ago counted this thread as busy
  }

  private void runQueued(BlockingThread self) {
    for (BlockingCell<?> cell = takeQueued(); cell != null; cell = takeQueued()) {
      running.add(cell);
      cell.begin(self);
      lock.unlock();
      try {
        run(self, cell);
      } finally { // there may be no memory to report with: the books are right all the same
        lock.lock();
        running.remove(cell);
        cell.runner = null;
      }
      while (cell.interrupters > 0) {
        interrupted.awaitUninterruptibly();
      }
      Thread.interrupted();
    }
  }

  private static void run(BlockingThread self, BlockingCell<?> cell) {
    self.running = cell;
    try {
      cell.run();
    } catch (Throwable t) {
      Uncaught.report("blocking pool", t); // the thread has more to do
    }
    self.running = null;
  }

  /** False when this thread should end. */
  private boolean waitForWork() {
    if (shutdown) {
      return false;
    }
    idleCount++;
    tellClock();
    long left = keepAliveNanos;
    for (; ; ) {
      if (notifications > 0) {
        notifications--;
        return true; // the submitter took this thread out of the idle count
      }
      if (shutdown || left <= 0) {
        idleCount--;
        return false;
      }
      try {
        left = work.awaitNanos(left);
      } catch (InterruptedException e) {
        // Whoever interrupts a thread of the pool that runs nothing has come too late.
      }
    }
  }

  /** A clock that fails must not leave the counts wrong. */
  private void tellClock() {
    try {
      home.busy().quiet();
    } catch (Throwable t) {
      Uncaught.report("blocking pool", t);
    }
  }

  // --- Closing ---

  /**
   * Accepts nothing more, cancels what is queued and what runs except mandatory tasks, and waits
   * for the threads to end. When the deadline passes every handle is resolved, also those of
   * mandatory tasks that found no thread.
   *
   * @return the threads that did not end by the deadline
   */
  public List<Thread> close(LongSupplier deadlineNanos) {
    try {
      beginShutdown();
      tellAll(queued.cancels, CANCEL);
      tellAll(running.cancels, CANCEL);
      return join(deadlineNanos);
    } finally { // nobody waits for ever, for what no thread has ended
      tellAll(queued.givenUp, WITHDRAW);
      tellAll(running.givenUp, END); // also what has begun meanwhile
    }
  }

  private void beginShutdown() {
    lock.lock();
    try {
      shutdown = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** One after the other: there may be no memory for a copy. What one of them throws is told. */
  private void tellAll(CellList.Walk walk, Consumer<BlockingCell<?>> what) {
    lock.lock();
    try {
      walk.begin();
    } finally {
      lock.unlock();
    }
    for (BlockingCell<?> cell = next(walk); cell != null; cell = next(walk)) {
      try {
        what.accept(cell);
      } catch (Throwable t) {
        Uncaught.report("a call that is told of the end of its runtime", t); // the others too
      }
    }
  }

  private @Nullable BlockingCell<?> next(CellList.Walk walk) {
    lock.lock();
    try {
      return walk.step();
    } finally {
      lock.unlock();
    }
  }

  /** After the shutdown no thread is added or taken out any more, so no lock is needed. */
  private List<Thread> join(LongSupplier deadlineNanos) {
    List<Thread> alive = new ArrayList<>();
    for (Thread t : threads) {
      if (!ThreadJoin.until(t, deadlineNanos, machine)) {
        alive.add(t);
      }
    }
    return alive;
  }

  // --- Looking in ---

  /** What each call that runs is doing, a line for each, also one that a close has given up. */
  public List<String> describeRunning() {
    return List.copyOf(describeEachRunning().values());
  }

  /** The same, by call. */
  Map<BlockingCell<?>, String> describeEachRunning() {
    Map<BlockingCell<?>, Thread> runners = new LinkedHashMap<>();
    lock.lock();
    try {
      running.forEach(cell -> runners.put(cell, Objects.requireNonNull(cell.runner)));
    } finally {
      lock.unlock();
    }
    Map<BlockingCell<?>, String> lines = new LinkedHashMap<>();
    runners.forEach((cell, thread) -> lines.put(cell, cell.describeRun(thread)));
    return lines;
  }

  // --- Metrics ---

  /** Threads that exist. */
  public int threadCount() {
    return threadCount;
  }

  /** Threads that wait for a task and were not notified of one. */
  public int idleCount() {
    return idleCount;
  }

  /** Calls that run or wait for a thread; takes the lock, for a clock that acts on the answer. */
  public int busyCount() {
    lock.lock();
    try {
      return threadCount - idleCount + queueLength;
    } finally {
      lock.unlock();
    }
  }

  /** Tasks that wait for a thread. */
  public int queueLength() {
    return queueLength;
  }

  /** Tasks ever submitted. */
  public long submitted() {
    return submitted.get();
  }
}
