package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs once, on the empty stack of the first worker of a JVM, what may later have to run on a
 * nearly full one.
 *
 * <p>The first use of a class loads and initialises it, the first use of a VarHandle method links
 * it: that is Java code of the JDK, of unknown depth, on the stack of whoever comes first. There it
 * may overflow although a {@link StackReserve} was made sure of, in the midst of a step that cannot
 * be undone: a job that was taken off a deque is then lost, and a class whose initialiser failed is
 * unusable for ever.
 */
/*
 * Implementation notes
 *
 * A VarHandle method is linked per class that uses it, name and types: so each class's own code runs here, not code
 * like it. Workers start here and wait for each other, so none of them sees what the first one pushes.
 *
 * Memory may run out in any step, and leave a fork that is claimed and will never be run: its owner would wait for it
 * for ever. So forks are rehearsed on the stack of a worker that is never started, and is dropped with all that is on
 * it.
 */
final class Rehearsal {
  private static volatile boolean done;

  /** What is rehearsed. */
  interface Piece {
    /**
     * Runs once.
     *
     * @param worker the current thread
     * @param understudy a worker that is never started: its fork stack is the piece's own
     */
    void play(WorkerThread worker, WorkerThread understudy) throws Exception;
  }

  private Rehearsal() {}

  /** First of all on every worker. */
  static void ensure(WorkerThread worker) {
    if (!done) {
      rehearse(worker);
    }
  }

  private static synchronized void rehearse(WorkerThread worker) {
    if (done) {
      return;
    }
    done = perform(worker, Rehearsal::all);
  }

  /** Whether it ran to its end; if not, what it left behind is forgotten. */
  static boolean perform(WorkerThread worker, Piece piece) {
    try {
      piece.play(worker, worker.understudy());
      return true;
    } catch (Throwable full) {
      // The next worker tries again. Nothing is waited for: what was claimed may never be run.
      worker.within = null;
      worker.withinFrom = 0;
      worker.floor = 0;
      return false;
    } finally {
      worker.counters.reset();
    }
  }

  private static void all(WorkerThread worker, WorkerThread understudy) throws Exception {
    deque();
    latches(worker);
    sleep(worker);
    forks(understudy);
    scope(worker);
    spares();
  }

  private static void spares() {
    var spares = new SpareWorkers(1, spare -> {}, spare -> null, () -> {}, () -> 0);
    int first = spares.enter();
    int second = spares.enter();
    spares.exit(first);
    spares.exit(second);
    if (spares.isNewlyStuck(0) && !spares.isOnDuty(0)) {
      spares.unstick(0);
    }
  }

  private static void deque() {
    var deque = new ChaseLevDeque<String>(1, 0);
    deque.push("popped as the last");
    deque.pop();
    deque.push("stolen");
    deque.push("makes it grow");
    deque.steal();
    deque.push("popped");
    deque.pop();
    deque.stealIf(String::equals, "another");
    deque.stealIf(String::equals, "makes it grow");
    deque.pop();
    deque.clearGarbage();
    Queue<String> queue = new ConcurrentLinkedQueue<>();
    queue.add("polled");
    queue.add("removed");
    if (!queue.isEmpty()) {
      queue.poll();
    }
    queue.remove("removed");
  }

  private static void latches(WorkerThread worker) {
    var latch = new CountLatch(worker, null, 1);
    latch.begin();
    latch.tryBegin();
    latch.end();
    latch.end();
    latch.becomeSleepy();
    latch.fallAsleep();
    latch.wakeUp();
    latch.end();
    latch.isSet();
  }

  private static void sleep(WorkerThread worker) {
    var sleep = new Sleep(1, 1);
    var counters = new WorkerCounters();
    counters.executed();
    counters.stole();
    sleep.startLooking();
    int snapshot = sleep.announceSleepy();
    sleep.sleep(0, snapshot, new Latch(worker, null), counters, latch -> true);
    sleep.foundWork();
    var latch = new Latch(worker, null);
    sleep.startWaiting(0, latch);
    sleep.stopWaiting(0);
    sleep.startWaiting(0, latch);
    sleep.wakeFor(sleep.announcePost(1, true), latch);
    sleep.await(0, counters);
    sleep.postedTo(0);
  }

  private static void forks(WorkerThread worker) throws Exception {
    Work<String, RuntimeException> work = () -> "";
    int fork = worker.push(work);
    worker.share(1);
    SharedFork stolen = worker.steal();
    if (stolen != null) {
      stolen.execute(worker);
    }
    worker.isDemanded();
    worker.joinShared(fork);
    worker.steal();
    fork = worker.push(work);
    worker.share(1);
    worker.joinShared(fork);
    fork = worker.push(work);
    worker.share(1);
    worker.failed(fork, new IllegalStateException());
    fork = worker.push(work);
    worker.failed(fork, new IllegalStateException());
    worker.clearAllGarbage();
  }

  private static void scope(WorkerThread worker) {
    var dropped = new IllegalStateException();
    dropped.addSuppressed(new DroppedFailures(1));
    var scope = new ScopeCore(worker);
    try {
      scope.run(() -> {
        scope.spawn(() -> {});
        scope.spawn(() -> fail(dropped));
        scope.spawn(() -> fail(null));
      });
    } catch (IllegalStateException expected) {
      // The second of them, with the third suppressed in it.
    }
  }

  private static void fail(@Nullable RuntimeException failure) {
    throw failure != null ? failure : new IllegalStateException();
  }
}
