package dev.blitz.io.shutdown;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Spawner;
import dev.blitz.io.task.TaskScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The way through the phases, in one direct task of the runtime. Thread safe. */
/* Implementation notes
 *
 *   field    | guarded by   | meaning
 *   phase    | lock         | only forward; read without
 *   actions  | lock         | of the phases that have not begun
 *   scopes   | lock         | tracked; once taken, at DRAINING or the cut, each has a task in `work` that waits for it
 *   left     | one queue    | who was cut off: filled by whoever cuts, before the drain reads it
 *   cut      | a token      | tells those who have a work guard
 * Nothing is called under the lock.
 */
final class Drain {
  /** What was cancelled only has to notice that. */
  static final Duration GRACE = Duration.ofSeconds(1);

  /** What a drain takes beyond its limit at most: a grace for each phase, the last one's twice. */
  static final Duration GRACES = GRACE.multipliedBy(5);

  private record Action(String name, ThrowingRunnable body) {}

  private final Shutdown shutdown;
  private final Spawner runtime;
  private final PendingWork work = new PendingWork();
  private final CancelToken cut = CancelToken.create();
  private final Promise<ShutdownReport> report = Promise.create("the report of a shutdown");
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean cutBegun = new AtomicBoolean();
  private final ConcurrentLinkedQueue<String> left = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private final PinnedLock lock = new PinnedLock();
  private final Map<ShutdownPhase, List<Action>> actions = new EnumMap<>(ShutdownPhase.class);
  private final List<TaskScope> scopes = new ArrayList<>();
  private boolean scopesTaken;
  private volatile ShutdownPhase phase = ShutdownPhase.RUNNING;
  private volatile boolean underWay;
  private volatile boolean givenUp;

  Drain(Shutdown shutdown, Spawner runtime) {
    this.shutdown = shutdown;
    this.runtime = runtime;
  }

  PendingWork work() {
    return work;
  }

  ShutdownPhase phase() {
    ShutdownPhase now = phase;
    return now == ShutdownPhase.RUNNING && !shutdown.running() ? ShutdownPhase.LINGERING : now;
  }

  WorkGuard begin(String name) {
    var guard = new GuardedWork(work, name, cut);
    switch (work.add(guard)) {
      case YES -> {
        return guard;
      }
      case TOO_LATE -> guard.close();
      case NO -> {}
    }
    throw new IllegalStateException("too late to begin '" + name + "': " + shutdown);
  }

  void track(TaskScope scope) {
    lock.lock();
    try {
      if (!scopesTaken) {
        scopes.add(scope);
        return;
      }
    } finally {
      lock.unlock();
    }
    awaitScope(scope);
  }

  void during(ShutdownPhase when, String name, ThrowingRunnable body) {
    if (when.compareTo(ShutdownPhase.STOPPING) < 0 || when == ShutdownPhase.ENDED) {
      throw new IllegalArgumentException("actions run in STOPPING, DRAINING or CLOSING: " + when);
    }
    var action = new Action(name, body);
    lock.lock();
    try {
      if (phase.compareTo(when) < 0) {
        actions.computeIfAbsent(when, w -> new ArrayList<>()).add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    throw new IllegalStateException("too late for '" + name + "' in " + when + ": " + shutdown);
  }

  /** Begins unless it has begun. */
  Promise<ShutdownReport> begin(Duration limit) {
    if (begun.compareAndSet(false, true)) {
      try {
        JoinHandle<Done> drain =
            runtime.spawn(
                SpawnOptions.named("shutdown").and(SpawnOptions.owning(report)), () -> run(limit));
        drain.detach();
        startWatch(((Services) JoinCell.of(drain).runtimeApi()).timers().clock(), limit);
      } catch (Throwable t) {
        report.close();
        throw t;
      }
    }
    return report;
  }

  private void startWatch(TickClock clock, Duration limit) {
    try {
      Machine.REAL.start(Machine.daemon("blitz-shutdown-watch", () -> watch(clock, limit)));
    } catch (Throwable t) {
      Uncaught.report("the watch of a shutdown", t); // only a runtime that is stuck needs it
    }
  }

  /**
   * The limit is up to the runtime, which may have no worker left: those who wait are told then. It
   * is for a drain that is under way; one that has not begun by then never will.
   */
  private void watch(TickClock clock, Duration limit) {
    Duration first = limit.compareTo(GRACE) > 0 ? limit : GRACE;
    if (!hasEnded(clock, first) && !(underWay && hasEnded(clock, GRACES))) {
      givenUp = true;
      List<String> stuck = new ArrayList<>();
      try {
        cut();
        stuck.addAll(work.describe());
      } finally { // whatever that throws, those who wait must hear of the end
        stuck.add(shutdown + " has not drained: its runtime seems to be stuck");
        complete(stuck);
      }
    }
  }

  private boolean hasEnded(TickClock clock, Duration limit) {
    var ended = new CountDownLatch(1);
    var end = report.future();
    long deadline = clock.nowNanos() + TickClock.saturatedNanos(limit);
    try {
      while (end.poll(Context.of(ended::countDown)) == null) {
        long left = deadline - clock.nowNanos();
        if (left <= 0) {
          end.drop();
          return false;
        }
        // Not longer than the grace: a manual clock may have moved.
        if (ended.await(Math.min(left, GRACE.toNanos()), TimeUnit.NANOSECONDS)) {
          return true;
        }
      }
    } catch (CancellationException | InterruptedException e) {
      // The runtime was closed.
    }
    return true;
  }

  /** Whether those who wait have been told because the runtime is stuck. */
  boolean hasGivenUp() {
    return givenUp;
  }

  private void run(Duration limit) {
    underWay = true;
    Deadline deadline = Deadline.after(limit);
    awaitStop(deadline);
    perform(ShutdownPhase.STOPPING, deadline);
    List<JoinHandle<Done>> inPhase = enter(ShutdownPhase.DRAINING, work);
    takeScopes().forEach(this::awaitScope);
    finish(work, deadline);
    inPhase.forEach(this::noteFailure);
    List<String> stuck = new ArrayList<>(work.describe());
    work.finish();
    // What is closed last is closed in any case: it has at least the grace.
    Deadline later = Deadline.after(GRACE);
    stuck.addAll(perform(ShutdownPhase.CLOSING, later.compareTo(deadline) > 0 ? later : deadline));
    moveTo(ShutdownPhase.ENDED);
    complete(stuck);
  }

  private void complete(List<String> stuck) {
    report.complete(
        new ShutdownReport(
            shutdown.reason(),
            shutdown.wasForced(),
            List.copyOf(left),
            List.copyOf(stuck),
            List.copyOf(failures)));
  }

  private void awaitStop(Deadline deadline) {
    try {
      shutdown.stopToken().cancelled().timeoutAt(deadline).await();
    } catch (TimedOutException e) {
      shutdown.stopToken().cancel();
    }
  }

  /** Runs the actions of a phase; who of them does not end. */
  private List<String> perform(ShutdownPhase next, Deadline deadline) {
    var acting = new PendingWork();
    List<JoinHandle<Done>> tasks = enter(next, acting);
    finish(acting, deadline);
    tasks.forEach(this::noteFailure);
    return acting.describe();
  }

  private List<JoinHandle<Done>> enter(ShutdownPhase next, PendingWork acting) {
    List<JoinHandle<Done>> tasks = new ArrayList<>();
    for (Action action : moveTo(next)) {
      JoinHandle<Done> task =
          runtime.spawn(SpawnOptions.named(next + " " + action.name), action.body);
      tasks.add(task);
      TrackedTask.add(acting, task, null);
    }
    return tasks;
  }

  private List<Action> moveTo(ShutdownPhase next) {
    lock.lock();
    try {
      if (phase.compareTo(next) < 0) {
        phase = next;
      }
      List<Action> ofThat = actions.remove(next);
      return ofThat == null ? List.of() : ofThat;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for what is pending; then for what is cancelled, a little. */
  private void finish(PendingWork pending, Deadline deadline) {
    CancelToken forced = shutdown.forcedToken();
    try {
      Done done = Futures.race(pending.idle(), forced.cancelled()).timeoutAt(deadline).await();
      assert done == Done.DONE;
    } catch (TimedOutException e) {
      // Then they are cut off.
    }
    if (pending.isIdle()) {
      return;
    }
    if (pending != work) {
      pending.cut(left::addAll);
    } else {
      cut();
    }
    try {
      Done done = pending.idle().timeout(GRACE).await();
      assert done == Done.DONE;
    } catch (TimedOutException e) {
      // They are stuck, and will be told of.
    }
  }

  /** Cancels all work, once: by a force, or because the time is up. */
  void cut() {
    if (cutBegun.compareAndSet(false, true)) {
      takeScopes().forEach(this::awaitScope); // to see their children, and to cancel them
      work.cut(left::addAll);
      cut.cancel();
    }
  }

  private List<TaskScope> takeScopes() {
    lock.lock();
    try {
      scopesTaken = true;
      List<TaskScope> all = List.copyOf(scopes);
      scopes.clear();
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void awaitScope(TaskScope scope) {
    try {
      JoinHandle<Done> end = runtime.spawn(Futures.outcome(scope.joined()).map(this::note));
      TrackedTask.add(work, end, scope);
    } catch (RejectedExecutionException closing) {
      scope.cancel(); // as the runtime does
    }
  }

  private Done note(Outcome<?> outcome) {
    if (outcome instanceof Outcome.Failure<?> failure) {
      failures.add(failure.cause());
    }
    return Done.DONE;
  }

  private void noteFailure(JoinHandle<Done> task) {
    if (task.isDone()) {
      note(task.outcome());
    }
  }

  /** The coordinator is closed: whoever drains goes on, nobody else begins. */
  void end() {
    if (begun.compareAndSet(false, true)) {
      moveTo(ShutdownPhase.ENDED);
      work.finish();
      report.close();
    }
  }
}
