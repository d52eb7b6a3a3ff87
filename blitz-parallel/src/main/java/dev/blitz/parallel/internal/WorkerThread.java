package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a pool: runs jobs, looks for them, sleeps when there are none.
 *
 * <p>Being a thread subclass is what makes "am I on a worker, and on which" a type check of the
 * current thread.
 */
public final class WorkerThread extends ForkStack implements Sleep.LastLook {
  // Made beforehand: no lambda is linked while a worker waits.
  private static final BiPredicate<Job, Latch> IS_WITHIN = WorkerThread::isWithin;

  final PoolCore pool;
  final int index;
  final ChaseLevDeque<Job> deque = new ChaseLevDeque<>();

  /** Shares of broadcasts: for this worker alone. */
  final Queue<Job> mailbox = new ConcurrentLinkedQueue<>();

  final WorkerCounters counters = new WorkerCounters();
  private final VictimRandom random;

  /** Jobs taken so far by a worker without obligations. */
  private int taken;

  /**
   * Jobs of the deque from this index on were added by what is under way above the innermost wait
   * or scope: a waiting worker takes those. They may be what the others wait for, and nobody else
   * is sure to see them under older ones.
   */
  long floor;

  /** Owner only: how often this worker has asked for a {@link StackReserve}. */
  private int probes;

  /**
   * Owner only: the job that runs now has taken no shared fork back yet. On its first way down more
   * forks are made visible: how long its first leaf takes nobody knows.
   */
  private boolean firstDescent;

  /**
   * Owner only: the job that ended last was a call from outside. Whoever called may wait for this
   * very processor, and nobody else has shown that there is more to do.
   */
  private boolean answered;

  /**
   * Owner only: jobs that were counted and could not be added, because the stack was full or memory
   * short. They are taken off the count by {@link #mend}, where there is stack to do so.
   */
  ScopeCore.@Nullable ScopedJob torn;

  /** The same for jobs that the pool itself counts. */
  int tornRoots;

  /** Owner only: how often a job has asked for the index. Loops whose body does run on workers. */
  private int timesAsked;

  @SuppressWarnings("ThreadPriorityCheck") // not to rely on priorities, but to have no odd one
  WorkerThread(PoolCore pool, int index, String name, long stackBytes, long seed) {
    super(name, stackBytes);
    this.pool = pool;
    this.index = index;
    this.random = new VictimRandom(seed);
    setDaemon(true);
    // A thread is born with the priority of whoever made it: here, of whoever came first.
    setPriority(NORM_PRIORITY);
  }

  /**
   * The pool this worker belongs to.
   *
   * @return the pool
   */
  public PoolCore pool() {
    return pool;
  }

  /**
   * The number of this worker in its pool, for a job that asks.
   *
   * @return 0 or more
   */
  public int index() {
    timesAsked++;
    return index;
  }

  int nextProbe() {
    return probes++;
  }

  /** How often a job on this worker has asked for the index. */
  int timesAsked() {
    return timesAsked;
  }

  /** That of the current worker; 0 on other threads. */
  static int timesAskedHere() {
    return currentThread() instanceof WorkerThread worker ? worker.timesAsked : 0;
  }

  /** Whether a thief found nothing here: the moment to cut a loop. */
  boolean isAskedForWork() {
    return isDemanded();
  }

  /** Whether fewer forks are visible than this worker should show: for the start of a loop. */
  boolean offersTooFew() {
    int target = pool.shareTarget();
    return unclaimed(target) < target;
  }

  /** A worker like this one that is never started, for its fork stack. */
  WorkerThread understudy() {
    return new WorkerThread(pool, index, getName(), 0, 1);
  }

  @Override
  public void run() {
    Rehearsal.ensure(this);
    while (!pool.isTerminated()) {
      runUntil(null);
      clearAllGarbage();
      pool.awaitSpareDuty(this);
    }
  }

  /** Only with mail, or when there is no more use for a worker without a latch. */
  @Override
  public boolean mustStayAwake(@Nullable Latch latch) {
    return !mailbox.isEmpty() || (latch == null && !pool.needs(this));
  }

  /** Ends the sleep of this worker, if it sleeps. */
  void wake() {
    pool.sleep.wake(index);
  }

  /**
   * Runs any jobs until the latch is set; without a latch, until the pool has no more use for this
   * worker. The caller has made sure of a {@link StackReserve}: a wake-up or a mail may be meant
   * for this very worker, so it must be able to take what it finds.
   */
  void runUntil(@Nullable Latch latch) {
    // The flag belongs to the job that waits here, not to those that run meanwhile.
    boolean interrupted = Thread.interrupted();
    Sleep sleep = pool.sleep;
    boolean idle = false;
    int rounds = 0;
    int snapshot = 0;
    shareAll();
    while (latch == null ? pool.needs(this) : !latch.isSet()) {
      Job job = findJob(false);
      if (job != null) {
        if (idle) {
          idle = false;
          stopLooking();
        }
        execute(job);
        continue;
      }
      if (!idle) {
        idle = true;
        rounds = 0;
        sleep.startLooking();
      }
      if (rounds < searchRounds()) {
        rounds++;
        pause();
      } else if (rounds == searchRounds()) {
        rounds++;
        snapshot = sleep.announceSleepy();
      } else {
        rounds = 0;
        clearAllGarbage();
        interrupted |= sleep.sleep(this, snapshot, latch);
      }
    }
    if (idle) {
      stopLooking();
    }
    if (interrupted && latch != null) {
      interrupt();
    }
  }

  /** How often this worker searches before it announces that it will sleep. */
  int searchRounds() {
    return answered ? Tuning.CALL_ROUNDS : Tuning.YIELD_ROUNDS;
  }

  private void pause() {
    if (answered) {
      // No yield: the kernel would let this thread wait for its next turn when it is woken.
      Spinning.spin(Tuning.CALL_SPINS);
    } else {
      Spinning.yieldProcessor();
    }
  }

  void stopLooking() {
    if (pool.sleep.foundWork()) {
      pool.wakeForVisible();
    }
  }

  /**
   * Waits for a fork, scope or broadcast of this pool, and runs meanwhile only what that needs: the
   * waiting job may hold a monitor, which would let a stranger on the same thread in. The caller
   * has made sure of a {@link StackReserve}, as for {@link #runUntil}.
   */
  void helpUntil(Latch latch) {
    boolean interrupted = Thread.interrupted();
    int rounds = 0;
    while (!latch.isSet()) {
      if (helpOnce(latch)) {
        rounds = 0;
      } else if (rounds < Tuning.YIELD_ROUNDS) {
        rounds++;
        Spinning.yieldProcessor();
      } else {
        rounds = 0;
        clearAllGarbage();
        interrupted |= sleepUntil(latch);
      }
    }
    if (interrupted) {
      interrupt();
    }
  }

  /** W1-W3 of the design note. */
  private boolean sleepUntil(Latch latch) {
    boolean interrupted = false;
    if (latch.becomeSleepy() && latch.fallAsleep()) {
      pool.sleep.startWaiting(index, latch);
      Job job = latch.isSet() ? null : findWithin(latch);
      if (job != null || latch.isSet()) {
        pool.sleep.stopWaiting(index);
        latch.wakeUp();
        if (job != null) {
          execute(job);
        }
        return false;
      }
      interrupted = pool.awaitPost(this);
    }
    latch.wakeUp();
    return interrupted;
  }

  private boolean helpOnce(Latch latch) {
    Job job = findWithin(latch);
    if (job == null) {
      return false;
    }
    execute(job);
    return true;
  }

  /** A job that the latch waits for; or mail, which nobody else can take. */
  private @Nullable Job findWithin(Latch latch) {
    Job job = mailbox.poll();
    if (job == null && deque.bottom() - floor > 0) {
      job = deque.pop();
    }
    if (job == null) {
      job = latch.takeOwn();
    }
    return job != null ? job : stealFromOthers(latch);
  }

  /** Jobs that this worker adds from here on are taken by the wait that comes. */
  long raiseFloor() {
    long before = floor;
    floor = deque.bottom();
    return before;
  }

  /** Ends what {@link #raiseFloor} began; or says that the deque has become that short. */
  void lowerFloor(long to) {
    if (to - floor < 0) {
      floor = to;
    }
  }

  /** Forgets what popped forks and stolen jobs left behind. */
  void clearAllGarbage() {
    clearGarbage();
    deque.clearGarbage();
  }

  private void execute(Job job) {
    counters.executed();
    Latch outer = within;
    int outerFrom = withinFrom;
    long outerFloor = floor;
    boolean outerDescent = firstDescent;
    within = job.within();
    withinFrom = bottom;
    firstDescent = true;
    job.execute(this);
    answered = job instanceof CallJob;
    mend();
    firstDescent = outerDescent;
    within = outer;
    withinFrom = outerFrom;
    lowerFloor(outerFloor);
    // What a job leaves behind must not leak into the next.
    Thread.interrupted();
  }

  /** Takes jobs that were never added off the count; the caller has a {@link StackReserve}. */
  void mend() {
    while (torn != null) {
      ScopeCore.ScopedJob job = torn;
      torn = job.nextTorn;
      job.uncount();
    }
    while (tornRoots > 0) {
      tornRoots--;
      pool.rootEnded();
    }
  }

  /**
   * Runs one job if there is any; for jobs that wait for something the pool does not know. That may
   * be a fork of this worker's own: the others get to see all of them, and this one takes them too.
   */
  boolean runOne() {
    if (!StackReserve.isAvailable()) {
      return false;
    }
    shareAll();
    Job job = findJob(true);
    if (job == null) {
      job = stealOwnFork();
    }
    if (job == null) {
      return false;
    }
    boolean interrupted = Thread.interrupted();
    execute(job);
    if (interrupted) {
      interrupt();
    }
    return true;
  }

  /**
   * Any job, for a worker without obligations or one that polls: mine first, then those of others,
   * then calls from outside.
   */
  private @Nullable Job findJob(boolean polls) {
    Job job = mailbox.poll();
    if (job == null && ++taken % Tuning.FAIR_INTERVAL == 0) {
      job = findNeglected(polls);
    }
    if (job == null) {
      job = popAny();
    }
    if (job == null) {
      job = stealFromOthers(null);
    }
    return job != null ? job : pool.takeInjected();
  }

  /**
   * What jobs that keep adding jobs would keep waiting for ever: a call, my oldest job, or a fork,
   * which somebody may poll for. In turn, because each of them may be there without end too.
   */
  private @Nullable Job findNeglected(boolean polls) {
    return switch (taken / Tuning.FAIR_INTERVAL & 3) {
      case 0 -> deque.steal();
      case 1 -> polls ? stealOwnFork() : stealFromOthers(null);
      case 2 -> stealFromOthers(null);
      default -> pool.takeInjected();
    };
  }

  private static boolean isWithin(Job job, Latch wanted) {
    Latch within = job.within();
    return within != null && within.isWithin(wanted);
  }

  private @Nullable Job popAny() {
    Job job = deque.pop();
    // Jobs that are added from here on may come to lie below the floor.
    lowerFloor(deque.bottom());
    return job;
  }

  /** As a thief would: its join then finds it done. */
  private @Nullable Job stealOwnFork() {
    if (hasPrivate()) {
      try {
        share(Integer.MAX_VALUE);
      } catch (VirtualMachineError full) {
        return null;
      }
    }
    return steal();
  }

  /** Visits every other worker once, from a random one on, for any job or those within a latch. */
  private @Nullable Job stealFromOthers(@Nullable Latch wanted) {
    @Nullable WorkerThread[] all = pool.workers;
    int count = pool.started();
    int victim = random.below(count);
    for (int n = 0; n < count; n++) {
      WorkerThread other = all[victim];
      if (other != null && other != this) {
        Job job = other.steal(wanted);
        if (job == null) {
          job = wanted == null ? other.deque.steal() : other.deque.stealIf(IS_WITHIN, wanted);
        }
        if (job != null) {
          counters.stole();
          return job;
        }
      }
      victim = victim + 1 == count ? 0 : victim + 1;
    }
    return null;
  }

  /** Adds a job that anyone may take, from this thread. */
  void push(Job job) {
    boolean wasEmpty = deque.push(job);
    try {
      post(1, wasEmpty, job.within());
    } catch (StackOverflowError full) {
      // The job is there: to fail now would make the caller count it twice.
    }
  }

  /**
   * Of what is in this worker's own stack or deque. On a nearly full stack nobody is woken, because
   * a wake-up cannot be left half done; this worker then runs it itself.
   *
   * @param within of the jobs, which may be further out than that of this worker
   */
  private void post(int jobs, boolean wasEmpty, @Nullable Latch within) {
    int wanted = pool.sleep.announcePost(jobs, wasEmpty);
    if (wanted > 0 && StackReserve.isAvailable()) {
      pool.sleep.wakeFor(wanted, within);
    }
  }

  /** Before this worker blocks or waits: nobody would see its private forks for that long. */
  void shareAll() {
    if (hasPrivate() && pool.started() > 1) {
      try {
        int posted = share(Integer.MAX_VALUE);
        if (posted > 0) {
          post(posted, wasEmpty(), within);
        }
      } catch (VirtualMachineError full) {
        // They stay private, and their owner runs them.
      }
    }
  }

  /**
   * The slow path of a recursive job's push, first half included.
   *
   * @return its boxed result
   * @throws X what it threw
   */
  <X extends Exception> Object runAttended(int fork, Work<?, X> first) throws X {
    try {
      attend();
      return first.run();
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(failed(fork, t));
    }
  }

  /** Joins the youngest fork, private or shared, by its boxed result. */
  @SuppressWarnings("unchecked") // X is what the fork's own interface declares
  <X extends Exception> Object joinAny(int fork) throws X {
    if (!popPrivate(fork)) {
      return joinShared(fork);
    }
    try {
      return SharedFork.of(top(), this, null).run();
    } catch (Exception e) {
      throw (X) e;
    }
  }

  /**
   * The slow path of a push: serves those who asked for forks, or makes room. Repeats {@link
   * #post}, because C2 inlines what is small even where it is rare, into every level of a
   * recursion.
   */
  void attend() {
    int target = pool.shareTarget();
    int posted = share(firstDescent ? Tuning.firstTarget(target) : target);
    if (posted > 0) {
      int wanted = pool.sleep.announcePost(posted, wasEmpty());
      if (wanted > 0 && StackReserve.isAvailable()) {
        pool.sleep.wakeFor(wanted, within);
      }
    }
  }

  /** After the push of a coarse fork: makes room, and lets everybody see all forks. */
  void attendAll(int fork) {
    if (needsAttention(fork)) {
      attend();
    }
    shareAll();
  }

  /**
   * Joins the youngest fork after {@link ForkStack#popPrivate} refused: takes it back and runs it,
   * or waits for its thief.
   *
   * @param fork its index
   * @return its boxed result
   * @throws X what it threw
   */
  @SuppressWarnings("unchecked") // X is what the fork's own interface declares
  <X extends Exception> Object joinShared(int fork) throws X {
    SharedFork shared = sharedAt(fork);
    if (shared.tryClaimByOwner()) {
      firstDescent = false;
      leaveForks(fork);
      counters.executed();
      try {
        return shared.run();
      } catch (Exception e) {
        throw (X) e;
      }
    }
    awaitThief(shared);
    leaveForks(fork);
    return shared.get();
  }

  /**
   * The first half of a join failed. Its second half still runs, or ends where it runs; only after
   * an error of the JVM itself is a second half that nobody has begun abandoned, because running it
   * would most likely overflow the stack again at every level.
   *
   * @param fork the index of the second half
   * @param failure what the first half threw
   * @return the failure, with that of the second half suppressed in it
   */
  Throwable failed(int fork, Throwable failure) {
    if (shared > fork + 1) {
      // Left over by handlers that overflowed: some may have to be awaited.
      StackReserve.require();
    }
    leaveForks(fork + 1);
    Throwable second = popPrivate(fork) ? runPrivate(failure) : endShared(fork, failure);
    if (second != null) {
      Throwing.suppress(failure, second);
    }
    return failure;
  }

  private @Nullable Throwable runPrivate(Throwable failure) {
    if (Throwing.isFatal(failure)) {
      top().argument = null;
      return null;
    }
    try {
      var _ = SharedFork.of(top(), this, null).run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  private @Nullable Throwable endShared(int fork, Throwable failure) {
    SharedFork shared = sharedAt(fork);
    if (!shared.tryClaimByOwner()) {
      awaitThief(shared);
      leaveForks(fork);
      return shared.failure();
    }
    leaveForks(fork);
    if (Throwing.isFatal(failure)) {
      return null;
    }
    try {
      var _ = shared.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  /** On a nearly full stack overflows instead; a handler further out ends the fork. */
  private void awaitThief(SharedFork fork) {
    if (!fork.isSet()) {
      StackReserve.require();
      helpUntilAbove(fork);
    }
  }

  /** {@link #helpUntil}, with none of the jobs that this worker has added so far. */
  void helpUntilAbove(Latch latch) {
    long before = raiseFloor();
    helpUntil(latch);
    lowerFloor(before);
  }

  /**
   * Leaves only the forks below {@code base}. Usually there are no others; after a stack overflow
   * that hit the handlers themselves, forks may be left over: nobody may start them any more, and
   * those that run are awaited, for which the caller has a {@link StackReserve}.
   */
  void leaveForks(int base) {
    while (shared > base) {
      int last = shared - 1;
      SharedFork left = sharedAt(last);
      if (!left.tryClaimByOwner() && !left.isClaimedByOwner()) {
        helpUntilAbove(left);
      }
      popShared(last);
    }
    bottom = base;
  }
}
