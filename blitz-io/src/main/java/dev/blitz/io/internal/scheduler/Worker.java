package dev.blitz.io.internal.scheduler;

import static dev.blitz.io.internal.scheduler.SchedulerTuning.FAILURES_PER_LOOK;
import static dev.blitz.io.internal.scheduler.SchedulerTuning.MAX_LIFO_STREAK;
import static dev.blitz.io.internal.scheduler.SchedulerTuning.POLLS_PER_CLOCK;
import static dev.blitz.io.internal.scheduler.SchedulerTuning.POLLS_PER_ROUND;
import static dev.blitz.io.internal.scheduler.SchedulerTuning.TARGET_INJECT_LATENCY_NANOS;

import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.UnjoinedFailures;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A worker: finds tasks and polls them, and sleeps when there are none.
 *
 * <p>All of it belongs to the thread that drives the worker, except {@link #queue()} and {@link
 * #stats()}, which others look at and steal from.
 */
/* Implementation notes
 *
 * Work-finding order: the inject queue first when its interval is over; the LIFO slot, three times in a
 * row at most; the ring; a batch from the inject queue; other workers' rings; another worker's LIFO slot
 * if that worker seems stuck; then spin or park.
 *
 * Only the owning thread pushes into LIFO slot and ring, and between its last look at the slot and the park
 * it runs nothing that could push; a ring never gets a task before the slot. So no task can appear in a sleeping
 * worker's own queue, and none that is about to sleep needs a mark by which a push would keep it awake.
 */
final class Worker {
  private static final VarHandle POLLING =
      Fields.of(MethodHandles.lookup(), "polling", boolean.class);

  private final Crew crew;
  private final IdleState idle;
  private final InjectQueue inject;
  private final Driver driver;
  private final TimerSeat seat;
  private final RuntimeTimers timers;
  private final WorkerThreads threads;
  private final Overseer overseer;
  private final IdleTime idleTime;
  private final Home home;
  private final UnjoinedFailures unjoined;
  private final TimeSource clock;
  private final Machine machine;
  private final int index;

  /** How its thread is called: there may be no memory for it when that has to be told. */
  private final String threadName;

  /** What it does when something fails that is no task's; for the same reason. */
  private final String outsideTasks;

  private final LocalRunQueue<QueueItem> queue;
  private final WorkerStats stats = new WorkerStats();

  /**
   * Another one after each hand-over: the poll that asked for it keeps the old one. Volatile for
   * those who look what is being polled.
   */
  private volatile PollContext context = new PollContext(SchedulerTuning.OPERATIONS_PER_POLL);

  private final InjectInterval interval = new InjectInterval();
  private final SpinPolicy spin;
  private final XorShift random;

  private boolean searching;

  /**
   * Inside a poll; elsewhere this worker cannot change threads. Written by the driving thread in
   * opaque mode: the overseer looks at it.
   */
  @SuppressWarnings("UnusedVariable") // by POLLING
  private boolean polling;

  private boolean firing;
  private boolean lookAtDriver;

  /** The first task that was woken in this batch of timers or completions. */
  private @Nullable QueueItem firstFired;

  private int lifoStreak;
  private int pollsToInject;
  private long roundStartNanos;

  /** Draws the order of polls where a seed was asked for; null otherwise. Owner only. */
  private final @Nullable XorShift order;

  Worker(
      Crew crew,
      WorkerThreads threads,
      Overseer overseer,
      IdleTime idleTime,
      Home home,
      SchedulerConfig config,
      int index) {
    this.crew = crew;
    this.idle = crew.idle();
    this.inject = crew.inject();
    this.driver = crew.driver();
    this.seat = crew.seat();
    this.timers = home.timers();
    this.threads = threads;
    this.overseer = overseer;
    this.idleTime = idleTime;
    this.home = home;
    this.unjoined = home.failures().unjoined();
    this.clock = config.clock();
    this.machine = config.machine();
    this.index = index;
    this.threadName = config.threadName("worker-" + index);
    this.outsideTasks = "worker " + index + ", outside any task";
    long seed = config.seed() + index;
    this.queue = new LocalRunQueue<>(SchedulerTuning.RING_CAPACITY);
    this.spin = new SpinPolicy(config.spin());
    this.random = new XorShift(seed);
    this.order =
        config.drawn() ? new XorShift(~seed) : null; // apart from steals, whose number is chance
    this.pollsToInject = interval.polls();
    this.searching = true; // whoever starts its thread has claimed it
  }

  int index() {
    return index;
  }

  String threadName() {
    return threadName;
  }

  LocalRunQueue<QueueItem> queue() {
    return queue;
  }

  WorkerStats stats() {
    return stats;
  }

  PollContext context() {
    return context;
  }

  /** The driving thread is about to hand this worker over, in the middle of a poll. */
  void setContext(PollContext next) {
    context = next;
  }

  /** Whether the driving thread may hand this worker over. */
  boolean isPolling() {
    return (boolean) POLLING.getOpaque(this);
  }

  // --- The loop ---

  /**
   * Runs until the scheduler terminates, or {@code thread} has handed this worker over.
   *
   * @return false if it ended by a failure of its own, which has been told: run it again
   */
  boolean run(WorkerThread thread) {
    try {
      overseer.arm();
      roundStartNanos = clock.nanoTime();
      while (!threads.isTerminating()) {
        round(thread);
        if (!thread.drives(this)) {
          return true;
        }
      }
      end();
      return true;
    } catch (Throwable t) {
      tell(t);
      return !thread.drives(this); // if not, another thread runs this worker
    }
  }

  private void tell(Throwable failure) {
    home.failures().tryUncaught(outsideTasks, failure);
  }

  /**
   * One round: timers, completions, failures to tell of, then polls, and if there was none a search
   * and a park. Ends early if {@code thread} hands this worker over.
   */
  private void round(WorkerThread thread) {
    fireTimers(roundStartNanos);
    Debts.pay();
    if (lookAtDriver) {
      deliverCompletions(false);
    }
    tellOfUnjoined();
    // Long polls make the round short, so that neither timers nor I/O wait more than a millisecond.
    int limit = Math.min(POLLS_PER_ROUND, interval.polls());
    int polls = pollSome(thread, limit);
    if (!thread.drives(this)) {
      return;
    }
    // A worker that has run out of tasks looks as it parks: one system call, not two. But what they
    // have sent goes out before it spins, or whoever answers would be waited for in vain.
    long now = clock.nanoTime();
    long took = now - roundStartNanos;
    boolean staged = driver.hasStaged(index);
    lookAtDriver = polls == limit || took >= TARGET_INJECT_LATENCY_NANOS || staged;
    interval.record(polls, took);
    if (took >= TARGET_INJECT_LATENCY_NANOS) {
      pollsToInject = 0; // polls are longer than when it was set: look now
    }
    roundStartNanos = now;
    if (polls > 0) {
      return;
    }
    if (staged) {
      // By a task that the last search has found. Once: if it cannot go out now, the park waits.
      lookAtDriver = false;
      deliverCompletions(false);
      if (queue.length() > 0) {
        return;
      }
    }
    becomeIdle();
  }

  /** The user's handler runs here: between polls, without a lock, and nobody counts on us. */
  private void tellOfUnjoined() {
    if (unjoined.isEmpty()) {
      return;
    }
    stopSearching();
    unjoined.reportUnreachable(FAILURES_PER_LOOK);
  }

  private int pollSome(WorkerThread thread, int limit) {
    for (int polls = 0; polls < limit; polls++) {
      QueueItem task = next();
      if (task == null) {
        return polls;
      }
      poll(task);
      if (!thread.drives(this)) {
        return polls + 1; // another thread runs this worker now
      }
      if (polls % POLLS_PER_CLOCK == POLLS_PER_CLOCK - 1 && isRoundOver()) {
        return polls + 1;
      }
    }
    return limit;
  }

  /**
   * Polls may have turned long since the limit of the round was set. And in a crowd what they send
   * is to go out while it is in the cache, and the sockets too, which have just been read.
   */
  private boolean isRoundOver() {
    return (queue.length() >= POLLS_PER_ROUND && driver.hasStaged(index))
        || clock.nanoTime() - roundStartNanos >= TARGET_INJECT_LATENCY_NANOS;
  }

  private void poll(QueueItem task) {
    stopSearching();
    stats.add(WorkerStats.POLLED, 1);
    if (home.isClosing()) {
      tellOfClosing(task);
    }
    // Until the next round: by then another thread may drive this worker.
    POLLING.setOpaque(this, true);
    Thread.interrupted(); // what the poll before, a hook or a handler has left is not for this one
    task.run(context);
  }

  /** Whatever that throws: nobody else has the task. */
  private void tellOfClosing(QueueItem task) {
    try {
      task.closing();
    } catch (Throwable t) {
      tell(t);
    }
  }

  private @Nullable QueueItem next() {
    return order == null ? nextInTurn() : nextDrawn(order);
  }

  /**
   * One of the first few tasks that can run, as the seed draws it; those before it go behind the
   * others. Nothing here depends on how long a poll takes, so what tasks do among themselves is the
   * same in each run. A task is passed over again and again with a probability that vanishes.
   */
  private @Nullable QueueItem nextDrawn(XorShift draw) {
    QueueItem injected = fetchInjected();
    if (injected != null && !takesRing(injected)) {
      return injected;
    }
    QueueItem newest = queue.popLifo();
    if (newest != null && !takesRing(newest)) {
      return newest;
    }
    QueueItem task = queue.pop();
    int candidates = Math.min(queue.length() + 1, SchedulerTuning.DRAWN_CANDIDATES);
    if (task == null || candidates == 1) {
      return task;
    }
    for (int pass = draw.nextInt(candidates); pass > 0 && task != null; pass--) {
      if (!takesRing(task)) {
        return task;
      }
      task = queue.pop();
    }
    return task;
  }

  private @Nullable QueueItem nextInTurn() {
    if (--pollsToInject <= 0) {
      pollsToInject = interval.polls();
      QueueItem task = fetchInjected();
      if (task != null) {
        tellOfRing(); // the last task there may have been pushed quietly: see reschedule
        return task;
      }
    }
    QueueItem newest = queue.popLifo();
    if (newest != null) {
      if (lifoStreak < MAX_LIFO_STREAK) {
        lifoStreak++;
        stats.add(WorkerStats.LIFO_HITS, 1);
        return newest;
      }
      if (!takesRing(newest)) {
        return newest;
      }
    }
    lifoStreak = 0;
    QueueItem oldest = queue.pop();
    if (oldest != null) {
      return oldest;
    }
    QueueItem injected = fetchInjected();
    if (injected != null) {
      tellOfRing(); // whoever went to sleep while the batch was being moved has seen it nowhere
    }
    return injected;
  }

  /** This worker takes something else than what waits in its ring. */
  private void tellOfRing() {
    if (queue.length() > 0) {
      notifyOne();
    }
  }

  /** This worker has found work, or looks for none: the last one must see whether more waits. */
  private void stopSearching() {
    if (searching) {
      searching = false;
      if (idle.stopSearching() && crew.hasQueuedWork()) {
        notifyOne();
      }
    }
  }

  /**
   * For what is in a queue. Whatever that throws must not leave here: the task that this worker has
   * in hand would be lost, and a task that has got into a queue counted as one that has not.
   */
  private void notifyOne() {
    try {
      crew.notifyOne();
    } catch (Throwable t) {
      tell(t);
    }
  }

  private @Nullable QueueItem fetchInjected() {
    int length = inject.length();
    if (length == 0) {
      return null;
    }
    int fair =
        Math.clamp(
            length / crew.workers().length,
            SchedulerTuning.MIN_INJECT_BATCH,
            SchedulerTuning.MAX_INJECT_BATCH);
    QueueItem first = inject.popInto(queue, Math.clamp(queue.free() / 2, 1, fair));
    if (first != null) {
      stats.add(WorkerStats.INJECT_FETCHES, 1);
    }
    return first;
  }

  // --- Scheduling from the owning thread ---

  /** A task was woken or spawned on this thread. */
  void schedule(QueueItem task) {
    if (firing) {
      if (firstFired == null) {
        firstFired = task;
      }
      pushRing(task); // one notification for the whole batch follows
      return;
    }
    if (queue.hasLifo()) {
      countOverflow();
    }
    if (queue.pushLifo(task, inject)) {
      notifyOne();
    }
  }

  /**
   * A task goes on at once: behind the others. This worker takes the next one right away, so nobody
   * needs to be woken: if the ring was empty that is this task; if not, somebody has been told of
   * what was there, and none goes to sleep while there is something.
   */
  void reschedule(QueueItem task) {
    if (queue.hasLifo()) { // that is what this worker takes
      pushRing(task);
      notifyOne();
    } else {
      countOverflow();
      queue.pushQuietly(task, inject);
    }
  }

  /**
   * Puts a task behind the others that has been taken out. False if there is no memory for what
   * overflows: then it must be run now, or it would be lost.
   */
  private boolean takesRing(QueueItem task) {
    try {
      pushRing(task);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void pushRing(QueueItem task) {
    countOverflow();
    queue.push(task, inject);
  }

  private void countOverflow() {
    if (queue.free() == 0) {
      stats.add(WorkerStats.OVERFLOWS, 1);
    }
  }

  private void fireTimers(long nowNanos) {
    POLLING.setOpaque(this, false);
    timers.admit(index);
    long deadline = timers.nextDeadlineNanos();
    if (deadline == Long.MAX_VALUE || deadline - nowNanos > 0) {
      return;
    }
    firing = true;
    try {
      timers.fireDue(nowNanos);
    } finally {
      firing = false;
      firstFired = null;
    }
    tellOfBatch();
  }

  /** This worker takes one task of the batch itself, or what is in its LIFO slot. */
  private void tellOfBatch() {
    int waiting = queue.length();
    if (waiting > 1 || (waiting == 1 && queue.hasLifo())) {
      notifyOne();
    }
  }

  /** Wakes the tasks of completions that are there, as one batch with one notification. */
  private boolean deliverCompletions(boolean spinning) {
    firing = true;
    int served;
    try {
      served = driver.deliver(index);
    } finally {
      firing = false;
    }
    QueueItem first = firstFired;
    if (first != null) {
      firstFired = null;
      spin.completed(first, spinning, driver.takeSent());
    }
    tellOfBatch();
    return served > 0;
  }

  // --- Idle ---

  private void becomeIdle() {
    if (!searching) {
      searching = idle.tryStartSearching();
    }
    if (searching) {
      QueueItem task = steal();
      if (task == null && spin.worthIt()) {
        task = spinForWork();
      }
      if (task != null) {
        poll(task);
        return;
      }
    }
    park();
  }

  private @Nullable QueueItem steal() {
    Worker[] workers = crew.workers();
    int n = workers.length;
    for (int round = 0; round < SchedulerTuning.STEAL_ROUNDS; round++) {
      int start = random.nextInt(n);
      for (int i = 0; i < n; i++) {
        Worker victim = workers[(start + i) % n];
        if (victim != this) {
          QueueItem task = victim.queue.stealInto(queue);
          if (task != null) {
            stats.add(WorkerStats.STOLEN, queue.length() + 1);
            return task;
          }
        }
      }
      QueueItem task = fetchInjected();
      if (task != null) {
        return task;
      }
    }
    return stealStuckLifo(workers);
  }

  /**
   * The newest task of a worker that seems stuck in a poll: it would wait for the end of that poll.
   */
  private @Nullable QueueItem stealStuckLifo(Worker[] workers) {
    for (Worker victim : workers) {
      if (victim == this || !victim.queue.hasLifo()) {
        continue;
      }
      long before = victim.stats.get(WorkerStats.POLLED);
      for (int i = 0; i < 64; i++) {
        Thread.onSpinWait();
      }
      if (victim.stats.get(WorkerStats.POLLED) == before) {
        QueueItem task = victim.queue.stealLifo();
        if (task != null) {
          stats.add(WorkerStats.STOLEN, 1);
          return task;
        }
      }
    }
    return null;
  }

  private @Nullable QueueItem spinForWork() {
    long end = machine.nanoTime() + SchedulerTuning.SPIN_NANOS;
    do {
      for (int i = 0; i < SchedulerTuning.SPIN_LOOKS_PER_CLOCK; i++) {
        Thread.onSpinWait();
        if (crew.hasQueuedWork()) {
          QueueItem task = steal();
          if (task != null) {
            spin.paid();
            stats.add(WorkerStats.SPINS_PAID, 1);
            return task;
          }
        }
      }
      if (deliverCompletions(true) && queue.length() > 0) {
        stats.add(WorkerStats.SPINS_PAID, 1);
        return queue.pop();
      }
    } while (machine.nanoTime() - end < 0 && !threads.isTerminating());
    spin.wasted();
    stats.add(WorkerStats.SPINS_WASTED, 1);
    return null;
  }

  private void park() {
    POLLING.setOpaque(this, false);
    stopSearching();
    // The user's handler runs here: nobody counts on this worker, and nobody can have claimed it.
    boolean more = unjoined.reportUnreachable(FAILURES_PER_LOOK);
    if (more || queue.hasLifo() || queue.length() > 0) {
      return; // the handler has spawned or woken tasks
    }
    timers.admit(index); // the last poll may have been a stolen one
    stats.add(WorkerStats.PARKED, 1); // before the bit is set: see IdleTime
    idle.announceParked(index);
    try {
      crew.notifyIfWorkWaits(); // RECHECK; it may claim this worker itself
      sleepUntilNeeded();
    } finally {
      seat.standUp(index);
      if (!idle.unparkSelf(index)) {
        searching = true; // claimed: whoever woke us counts on a search
      }
    }
    overseer.arm();
    roundStartNanos = clock.nanoTime();
  }

  /** Until this worker is claimed, a timer is due, a completion is there, or the scheduler ends. */
  private void sleepUntilNeeded() {
    while (idle.isParked(index) && !threads.isTerminating()) {
      boolean timekeeper = seat.trySitDown(index);
      long deadline = timekeeper ? timers.sleepDeadlineNanos() : Long.MAX_VALUE;
      if (!timekeeper) {
        home.busy().quiet();
      } else if (idleTime.skipTo(deadline)) {
        return;
      }
      if (driver.park(index, deadline)) {
        lookAtDriver = true;
        return;
      }
      if (timekeeper) {
        deadline = timers.nextDeadlineNanos();
        if (deadline != Long.MAX_VALUE && deadline - clock.nanoTime() <= 0) {
          return;
        }
      }
    }
  }

  // --- The end ---

  /** The scheduler terminates: nothing that is queued runs any more. */
  private void end() {
    if (searching) {
      searching = false;
      idle.stopSearching();
    }
    abandonQueued();
    if (threads.wakeIdleAfterClose()) {
      abandonQueued();
    }
  }

  /**
   * Ends what is left in this worker's queue; dropping may wake others, so until nothing is left.
   */
  private void abandonQueued() {
    for (; ; ) {
      QueueItem task = queue.popLifo();
      if (task == null) {
        task = queue.pop();
      }
      if (task == null) {
        task = inject.pop();
      }
      if (task == null) {
        return;
      }
      task.abandon(context);
    }
  }
}
