package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker's ring: what is submitted for it, its completions, and the place where it sleeps.
 *
 * <p>Everything but {@link #awaitCompletion} happens under the ring's lock, by whichever thread has
 * business here: the worker, a thread that arms or cancels an operation, or a worker that stands in
 * for this one while it is stuck in a poll.
 */
/* Implementation notes
 *
 * Why one class, though it is long: submitting, serving, sleeping and the end are steps under one lock, on the same few fields.
 *
 * Why a lock and not an owner: the kernel lets any thread submit to a ring that has no single issuer, so the
 * submission queue itself is the hand-over queue. The lock is free nearly always: the worker takes it once per round
 * and per armed operation, which are rare with multishot operations; for a kernel call that goes at once twice.
 *
 * No lost submission. A thread that adds an entry: adds it under the lock, then reads the worker's word; if it is
 * PARKED, it unparks the worker. A worker about to sleep: sets its word to PARKED, then takes the lock and counts what
 * to submit. If the entry was added before that count, it is submitted by the same io_uring_enter that waits. If
 * not, the word was set before the adder read it, and the adder wakes the worker, whose next park submits the entry.
 *
 * Order. All completions of a ring are served under its lock, in the order of the completion queue. So the bytes of a
 * stream arrive in order, whoever reaps.
 *
 * The kernel does the work of an arrival (receiving, posting the completion) on the thread that armed the
 * operation. By default it interrupts that thread for it, packet by packet; with cooperative work it waits for
 * the thread's next visit to the kernel, which saves the interrupts. A worker stuck in a poll may not visit for long, so the
 * overseer's call kicks it: an interrupt to every processor that runs this process makes the thread pass
 * through the kernel's exit path, where the work is done. Where the kick is not to be had, rings
 * are made with the default.
 *
 * The kernel wakes the sleeping worker by an event counter that a multishot poll watches. The counter is never
 * read: each write of it makes a completion.
 *
 * No lost wake. The kernel ends a wait by the completions it finds when the wait begins, or gets after that. One that
 * another thread had consumed before would wake nobody. So `asleep` is set under the lock, and a helper who finds it set
 * leaves the ring alone: its worker sees everything itself. If a helper consumed the wake before that, the worker's
 * word has changed, which it looks at under the same lock.
 *
 *   field  | writer                                          | reader              | mode
 *   asleep | worker: set under the lock, reset after its wait | helpers, under lock | volatile; too late a reset only means
 *          |                                                 |                     | that one who came to help goes away
 *   failed | who was refused by the kernel, under the lock   | all                 | volatile; for good
 *
 * Failure. A call that the kernel refuses for another reason than those that pass would be refused for ever. The ring is then
 * given up: it is told once, its operations complete with an error, none can be armed, and its worker sleeps in its seat.
 */
final class WorkerRing {
  private static final int POLLIN = 1;
  private static final long DRAIN_LOOK_NANOS = 1_000_000;

  private final SpinLock lock = new SpinLock();
  private final OperationTable operations = new OperationTable(UringTuning.FIRST_OPERATIONS);
  private @Nullable Operation firstWaiting;
  private @Nullable Operation lastWaiting;

  /** How many operations say {@link Operation#cancelWaits}. */
  private int cancelsWaiting;

  private final BitSet watched = new BitSet();

  /** Rings that have failed and are still watched, for want of room. */
  private final BitSet unwatchesWaiting = new BitSet();

  private final int worker;
  private final UringDriver driver;
  private final UringRing ring;
  private final BufferRing buffers;
  private final Descriptor counter;
  private final SendBuffers sendBuffers;
  private final SilentSends silent = new SilentSends();
  private final boolean skipsSuccess;
  private boolean wakeArmed;

  /** Which of the {@link #drivers} has armed what wakes the worker. */
  private int wakeDriver;

  /** How many threads have driven the worker; under the lock. */
  private int drivers;

  private boolean ending;
  private boolean closed;

  /** Nothing is armed any more: the kernel has let go of the buffers. */
  private boolean drained;

  private volatile boolean asleep;

  /** The kernel refuses to be entered for this ring: nothing can be submitted or awaited here. */
  private volatile boolean failed;

  /** What the worker was told when it wanted to sleep here; it looks at that when it serves. */
  private volatile @Nullable UringException refused;

  /** Why, until it has been told; under the lock. */
  private @Nullable UringException untold;

  /** Counts the worker's visits; an unchanged count tells a helper that it is still away. */
  private int ownerRounds;

  private int ownerRoundsAtHelp = -1;

  WorkerRing(UringDriver driver, int worker, int setupFlags, int mostBuffers) {
    this.driver = driver;
    this.worker = worker;
    ring = new UringRing(UringTuning.SUBMISSIONS, UringTuning.COMPLETIONS, setupFlags);
    BufferRing registered = null;
    SendBuffers sends = null;
    try {
      registered =
          new BufferRing(
              ring,
              0,
              mostBuffers,
              UringTuning.BUFFER_BYTES,
              UringTuning.firstBuffers(mostBuffers));
      sends = new SendBuffers();
      int opened = newCounter();
      if (opened < 0) {
        throw new UringException("eventfd", -opened);
      }
      counter = Descriptor.owning(opened); // last, and nothing after it that may fail
    } catch (Throwable t) {
      ring.close();
      if (sends != null) {
        sends.close();
      }
      if (registered != null) {
        registered.close();
      }
      throw t;
    }
    buffers = registered;
    sendBuffers = sends;
    skipsSuccess = (ring.features() & UringAbi.FEATURE_SKIP_SUCCESS) != 0;
  }

  static int newCounter() {
    CallFrame frame = CallFrame.take();
    try {
      return PosixCalls.eventCounter(frame);
    } finally {
      frame.giveBack();
    }
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Whose it is. */
  int worker() {
    return worker;
  }

  BufferRing buffers() {
    return buffers;
  }

  // --- Under the lock: submitting ---

  /** Whether nothing can be armed here. */
  boolean isClosed() {
    return closed || failed;
  }

  /** Whether all operations are being cancelled. */
  boolean isEnding() {
    return ending;
  }

  SendBuffers sendBuffers() {
    return sendBuffers;
  }

  /** Gives an operation its number. */
  long enlist(Operation operation) {
    return operations.insert(operation);
  }

  /** Takes the number back: the operation has completed for the last time. */
  void strike(Operation operation) {
    if (operation.cancelWaits) {
      cancelWaitsNoMore(operation);
    }
    operations.remove(operation.key());
  }

  /** Queues an operation's entry; it goes out with the worker's next system call. */
  void add(Operation operation) {
    long at = firstWaiting == null ? tryClaim() : -1;
    if (at < 0) {
      if (lastWaiting == null) {
        firstWaiting = operation;
      } else {
        lastWaiting.next = operation;
      }
      lastWaiting = operation;
      return;
    }
    operation.write(ring.entries(), at, operation.key(), this);
    ring.push();
  }

  /** As {@link UringRing#claim}; a call that the kernel refuses is made again by who serves. */
  private long tryClaim() {
    try {
      return ring.claim();
    } catch (UringException e) {
      return -1;
    }
  }

  /** Queues a cancel of {@code operation}, which is armed here. Takes no memory. */
  void addCancel(Operation operation) {
    if (operation.cancelWaits) {
      return;
    }
    // Behind an operation that waits for room it may be the very one that the cancel is meant for.
    long at = firstWaiting == null ? tryClaim() : -1;
    if (at < 0) {
      operation.cancelWaits = true;
      cancelsWaiting++;
      return;
    }
    pushCancel(operation, at);
  }

  private void pushCancel(Operation operation, long at) {
    long key = operation.key();
    SubmissionAbi.cancel(ring.entries(), at, key, Tag.cancelOf(key));
    ring.push();
  }

  /**
   * The entry that is being written is {@code send}, which need not be told of success.
   *
   * @return false if it must be told
   */
  boolean trySilence(SendOperation send) {
    return skipsSuccess && silent.tryAdd(send, ring.nextEntry());
  }

  /**
   * Whether sends wait for {@link #serve}, to be submitted or to be taken for done; as the worker
   * also without the lock, as a hint.
   */
  boolean hasStaged() {
    return !silent.isEmpty();
  }

  /** As the worker, having been woken for them: whether entries wait to be submitted. */
  boolean hasPending() {
    return !failed && ring.pending() > 0;
  }

  /** The number of the entry that is being written. */
  int nextEntry() {
    return ring.nextEntry();
  }

  /** Whether the kernel has not taken the entry of this number; then its length is changed. */
  boolean tryLengthen(int entry, int length) {
    if (ring.firstNotTaken() - entry > 0) {
      return false;
    }
    SubmissionAbi.setLength(ring.entries(), ring.entryAt(entry), length);
    return true;
  }

  private void addWaiting() {
    while (firstWaiting != null) {
      long at = ring.claim();
      if (at < 0) {
        return;
      }
      Operation operation = firstWaiting;
      firstWaiting = operation.next;
      operation.next = null;
      if (firstWaiting == null) {
        lastWaiting = null;
      }
      operation.write(ring.entries(), at, operation.key(), this);
      ring.push();
    }
    for (int i = 0; cancelsWaiting > 0 && i < operations.slots(); i++) {
      Operation operation = operations.inSlot(i);
      if (operation != null && operation.cancelWaits) {
        long at = ring.claim();
        if (at < 0) {
          return;
        }
        cancelWaitsNoMore(operation);
        pushCancel(operation, at);
      }
    }
    for (int other = unwatchesWaiting.nextSetBit(0);
        other >= 0;
        other = unwatchesWaiting.nextSetBit(other + 1)) {
      long at = ring.claim();
      if (at < 0) {
        return;
      }
      unwatchesWaiting.clear(other);
      pushUnwatch(other, at);
    }
  }

  private void cancelWaitsNoMore(Operation operation) {
    operation.cancelWaits = false;
    cancelsWaiting--;
  }

  /** Whether {@link #serve} would find something to do. */
  boolean hasWork() {
    if (failed) {
      return !operations.isEmpty();
    }
    return refused != null
        || ring.ready() > 0
        || ring.pending() > 0
        || ring.isOverflown()
        || ring.hasDeferredWork()
        || isAnyWaiting()
        || !silent.isEmpty();
  }

  /** Whether something waits for room in the submission queue. */
  private boolean isAnyWaiting() {
    return firstWaiting != null || cancelsWaiting > 0 || !unwatchesWaiting.isEmpty();
  }

  /**
   * As the ring's worker, without the lock: hands the entries to the kernel before the round ends.
   */
  void submitNow() {
    StackRoom.forStep(); // the lock is given back
    lock.lock();
    try {
      if (!isClosed() && refused == null) {
        ring.submit();
      }
    } catch (UringException e) {
      // The call is made again by who serves, and is refused there.
    } finally {
      lock.unlock();
    }
  }

  // --- Under the lock: serving ---

  /**
   * Submits what is queued, and serves the completions that are there. Never waits.
   *
   * @return whether some are left because {@code woken} is full
   */
  boolean serve(WokenSlots woken) {
    if (refused == null && !failed) {
      try {
        return submitAndServe(woken);
      } catch (UringException e) {
        refused = e;
      }
    }
    return !tryFail(woken) || failOperations(woken);
  }

  /**
   * Gives the ring up, if it is refused. What has completed is served first: a connection that was
   * accepted, or bytes, nobody else would ever see.
   *
   * @return false if some of that is left because {@code woken} is full: then it comes to that the
   *     next time
   */
  private boolean tryFail(WokenSlots woken) {
    UringException refusal = refused;
    if (refusal == null) {
      return true;
    }
    if (!failed) {
      int firstNotTaken = ring.firstNotTaken(); // before the look at the completions
      if (serveReady(woken) || (!ring.isOverflown() && serveSilent(firstNotTaken, woken))) {
        return false;
      }
      failed = true;
      untold = refusal;
      silent.clear();
      ring.giveUp(counter.number());
    }
    refused = null;
    return true;
  }

  /** As {@link #serve}, for a ring that has failed: none of its operations will complete. */
  private boolean failOperations(WokenSlots woken) {
    for (int i = 0; i < operations.slots(); i++) {
      Operation operation = operations.inSlot(i);
      if (operation == null) {
        continue;
      }
      if (woken.isFull()) {
        return true;
      }
      operation.complete(this, -Errno.EIO, 0, woken);
    }
    return false;
  }

  /** Without the lock: says once that the ring has failed, and why. */
  private void tellFailure() {
    if (!failed) {
      return;
    }
    StackRoom.forCalls(); // the others are told too
    lock.lock();
    UringException e = untold;
    untold = null;
    lock.unlock();
    if (e != null) {
      driver.unwatch(worker);
      FailureLog.log("the io_uring of worker " + worker + ", whose sockets fail from now on", e);
    }
  }

  private boolean submitAndServe(WokenSlots woken) {
    addWaiting();
    if (ring.hasDeferredWork()) {
      ring.flush();
    } else {
      ring.submit();
    }
    int firstNotTaken = ring.firstNotTaken(); // before the look at the completions
    for (; ; ) {
      if (serveReady(woken)) {
        return true;
      }
      if (!ring.isOverflown()) {
        return serveSilent(firstNotTaken, woken);
      }
      ring.flush(); // the kernel moves what it had kept aside
    }
  }

  /** Those that were taken, and of which no completion came, have succeeded. */
  private boolean serveSilent(int firstNotTaken, WokenSlots woken) {
    while (!woken.isFull()) {
      SendOperation sent = silent.takeSent(firstNotTaken);
      if (sent == null) {
        return false;
      }
      sent.succeeded(this, woken);
    }
    return true;
  }

  /** Serves what is in the completion queue now; whether some are left because of {@code woken}. */
  private boolean serveReady(WokenSlots woken) {
    for (int left = ring.ready(); left > 0; left--) {
      if (woken.isFull()) {
        return true;
      }
      long userData = ring.userData(0);
      int result = ring.result(0);
      int flags = ring.flags(0);
      ring.consume(1); // before: whatever serving throws, none is served twice
      serve(userData, result, flags, woken);
    }
    return false;
  }

  private void serve(long tag, int result, int flags, WokenSlots woken) {
    switch (Tag.kind(tag)) {
      case Tag.OPERATION -> {
        Operation operation = operations.find(tag);
        if (operation != null) {
          operation.complete(this, result, flags, woken);
        } else if (CompletionAbi.hasBuffer(flags)) {
          buffers.took(CompletionAbi.buffer(flags), 0);
          buffers.giveBack(CompletionAbi.buffer(flags));
        }
      }
      case Tag.CANCEL -> {
        Operation operation = operations.find(Tag.key(tag));
        if (operation != null) {
          operation.cancelAnswered(this, result);
        }
      }
      case Tag.WAKE -> woke(tag, flags);
      case Tag.WATCH -> {
        int other = Tag.worker(tag);
        watched.clear(other);
        driver.needsHelp(other);
      }
      default -> {}
    }
  }

  /** That of an earlier thread ends when this comes by, and is nobody's affair. */
  private void woke(long tag, int flags) {
    if (Tag.driver(tag) == wakeDriver) {
      wakeArmed = !CompletionAbi.isLast(flags);
    }
  }

  /** As the worker: submits and serves. */
  int serveOwn(WokenSlots woken) {
    int served = 0;
    boolean more;
    do {
      try {
        lock.lock();
        try {
          ownerRounds++;
          // Asleep: who hurries has lost the worker on the way, which sees everything itself.
          more = !asleep && hasWork() && serve(woken);
        } finally {
          lock.unlock();
        }
      } finally { // whatever failed: those whose results are there must learn of it
        served += woken.wakeAll();
      }
    } while (more);
    tellFailure();
    return served;
  }

  /** As the worker of {@code helper}: submits and serves, and watches if that goes on. */
  int serveForAnother(WorkerRing helper, WokenSlots woken) {
    boolean watch = false;
    boolean first = true;
    boolean more;
    int served = 0;
    do {
      if (!lock.tryLock()) {
        return served; // somebody is at it
      }
      try {
        try {
          if (closed || asleep) {
            return served;
          }
          if (first) {
            watch = ownerRounds == ownerRoundsAtHelp || driver.isVacant(worker);
            ownerRoundsAtHelp = ownerRounds;
            first = false;
          }
          more = serve(woken);
        } finally {
          lock.unlock();
        }
      } finally {
        served += woken.wakeAll();
      }
    } while (more);
    tellFailure();
    if (watch && !failed) {
      helper.watch(this);
    }
    return served;
  }

  /** As any thread: submits and serves, unless the worker sleeps here, who sees it all itself. */
  void serveForATry(WokenSlots woken) {
    boolean more;
    do {
      try {
        lock.lock();
        try {
          more = !closed && !asleep && hasWork() && serve(woken);
        } finally {
          lock.unlock();
        }
      } finally {
        woken.wakeAll();
      }
    } while (more);
    tellFailure();
  }

  /** Whether there is something to serve or submit here while the worker does not. */
  boolean isNeglected() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !closed && hasWork();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the next completion of {@code other} end the park of this ring's worker. */
  private void watch(WorkerRing other) {
    lock.lock();
    try {
      int bit = other.worker;
      long at = watched.get(bit) ? -1 : tryClaim();
      if (at >= 0) {
        watched.set(bit);
        int fd = other.ring.descriptor();
        SubmissionAbi.poll(ring.entries(), at, fd, POLLIN, Tag.watchOf(bit));
        ring.push();
      } else if (!watched.get(bit)) {
        driver.needsHelp(bit); // no room to watch: look again in the next round
      }
    } finally {
      lock.unlock();
    }
  }

  /** {@code other} has failed: a poll of its ring would keep that alive, with all it has armed. */
  void unwatch(int other) {
    long at;
    lock.lock();
    try {
      at = !isClosed() && watched.get(other) ? tryClaim() : -1;
      if (at >= 0) {
        pushUnwatch(other, at);
      } else if (!isClosed() && watched.get(other)) {
        unwatchesWaiting.set(other);
      }
    } finally {
      lock.unlock();
    }
    if (at >= 0) {
      added();
    }
  }

  private void pushUnwatch(int other, long at) {
    SubmissionAbi.cancel(ring.entries(), at, Tag.watchOf(other), Tag.of(Tag.NOBODY));
    ring.push();
  }

  // --- The worker sleeps ---

  /** Without the lock, a hint: whether the worker might find a completion. */
  boolean seemsReady() {
    return failed
        ? !operations.seemsEmpty()
        : refused != null || ring.seemsReady() || ring.isOverflown();
  }

  /** Whether the worker cannot sleep here any more. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Submits what is queued and waits for a completion or a {@link #signal}, in one system call. By
   * the worker's thread, its word being PARKED.
   */
  void awaitCompletion(long timeoutNanos) {
    try {
      if (!submitAndAwait(timeoutNanos)) {
        // Not now, says the kernel, perhaps for long: it has no memory, say.
        LockSupport.parkNanos(Math.min(timeoutNanos, UringTuning.PUT_OFF_NANOS));
      }
    } catch (UringException e) {
      refused = e; // the worker's next look serves what has completed, and gives the ring up
    }
  }

  /** False if the kernel could not do it now. */
  private boolean submitAndAwait(long timeoutNanos) {
    int submit;
    boolean waited = true;
    lock.lock();
    try {
      ownerRounds++;
      if (wakeArmed && wakeDriver != drivers) {
        wakeArmed = !tryCancelWake();
      }
      if (!wakeArmed) {
        wakeArmed = tryArmWake();
      }
      addWaiting();
      if (isAnyWaiting()) {
        waited = false; // for room, which there is when the kernel has taken what is in its place
      } else if (hasStaged()) {
        waited = ring.submit(); // nothing would tell of them: to be served first
      } else if (!wakeArmed) {
        waited = false; // no room for that either
      }
      boolean stays =
          ring.ready() == 0
              && wakeArmed
              && !isAnyWaiting()
              && !hasStaged()
              && driver.isWaiting(worker);
      submit = stays ? ring.pending() : -1;
      asleep = submit >= 0;
    } finally {
      lock.unlock();
    }
    if (submit >= 0) {
      try {
        waited = ring.submitAndWait(submit, timeoutNanos);
      } finally {
        asleep = false;
      }
    }
    swallowWakes();
    return waited || ring.seemsReady() || ring.isOverflown();
  }

  /**
   * Another thread drives the worker from now on. What wakes it must be armed by that thread, or
   * each wake would make the detour over the one before, which may be computing. So it is with what
   * stays armed: it moves when it next completes.
   */
  void driverChanged() {
    lock.lock();
    try {
      drivers++;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: counts the threads that have driven the worker. */
  int drivers() {
    return drivers;
  }

  private boolean tryArmWake() {
    long at = ring.claim();
    if (at < 0) {
      return false;
    }
    wakeDriver = drivers;
    SubmissionAbi.pollMany(ring.entries(), at, counter.number(), POLLIN, Tag.wakeOf(wakeDriver));
    ring.push();
    return true;
  }

  /** What comes of it is told late, if the thread that armed it computes: nobody waits for that. */
  private boolean tryCancelWake() {
    long at = ring.claim();
    if (at < 0) {
      return false;
    }
    SubmissionAbi.cancel(ring.entries(), at, Tag.wakeOf(wakeDriver), Tag.of(Tag.NOBODY));
    ring.push();
    return true;
  }

  /** Wakes are the worker's own affair: what is ready afterwards is worth a delivery. */
  private void swallowWakes() {
    if (!ring.seemsReady()) {
      return;
    }
    lock.lock();
    try {
      while (ring.ready() > 0 && Tag.kind(ring.userData(0)) == Tag.WAKE) {
        woke(ring.userData(0), ring.flags(0));
        ring.consume(1);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the worker's wait; its word tells whether that is needed. Whoever has seen that may come
   * so late that all is closed, and the number somebody else's.
   */
  void signal() {
    StackRoom.forStep(); // to let go of what is in use
    if (counter.tryUse()) {
      try {
        PosixCalls.count(counter.number());
      } finally {
        counter.release();
      }
    }
  }

  /** Entries were added, and the lock given up: somebody has to submit them. */
  void added() {
    driver.added(worker);
  }

  // --- The end ---

  /**
   * All endpoints have been closed, but not all workers have ended: lets their operations complete,
   * so that the descriptors are closed. The ring stays for the thread that may come back to it.
   */
  void drain(WokenSlots woken) {
    long end = driver.nanoTime() + UringTuning.CLOSE_NANOS;
    Throwable failure = null;
    boolean over = false;
    while (!over && driver.nanoTime() - end < 0) {
      driver.kick();
      try {
        over = drainSome(woken);
      } catch (RuntimeException | Error e) {
        failure = e; // the others all the same
        LockSupport.parkNanos(DRAIN_LOOK_NANOS);
      }
    }
    SafeCalls.rethrow(failure);
  }

  private boolean drainSome(WokenSlots woken) {
    boolean more = false;
    boolean over;
    try {
      lock.lock();
      try {
        if (!closed) {
          more = serveAtTheEnd(woken);
          if (asleep) {
            signal(); // its wake may be among what was served
          }
        }
        over = closed || operations.isEmpty();
      } finally {
        lock.unlock();
      }
    } finally {
      woken.wakeAll();
    }
    if (!over && !more) {
      LockSupport.parkNanos(DRAIN_LOOK_NANOS);
    }
    return over;
  }

  /** After all workers have ended: serves, if there are sends; whether some are left. */
  boolean serveSends(WokenSlots woken) {
    lock.lock();
    try {
      if (!isClosed() && sendBuffers.inUse() > 0) {
        serveAtTheEnd(woken);
      }
      return !isClosed() && sendBuffers.inUse() > 0; // what a failed ring had is lost
    } finally {
      lock.unlock();
    }
  }

  /**
   * After all workers have ended: waits for every operation to complete, then frees everything. All
   * endpoints have been closed, so each operation has been cancelled. Takes no memory; what fails
   * because others do is told when the rest has been done.
   */
  void close(WokenSlots woken) {
    StackRoom.forOwner(); // a step that found no stack would be made again without an end
    long end = driver.nanoTime() + UringTuning.CLOSE_NANOS;
    Throwable failure = null;
    boolean over = false;
    while (!over) {
      try {
        over = endSome(end, woken);
      } catch (RuntimeException | Error e) {
        failure = e; // the others all the same
      }
    }
    free();
    SafeCalls.rethrow(failure);
  }

  /** A step of a close; whether it was the last. */
  private boolean endSome(long end, WokenSlots woken) {
    boolean idle = false;
    boolean over;
    try {
      lock.lock();
      try {
        if (!ending) {
          endAll(woken);
        } else if (!closed) {
          idle = !isMoreEnded(end, woken);
        }
        over = closed && !loseCalls(woken);
      } finally {
        lock.unlock();
      }
    } finally {
      woken.wakeAll();
    }
    if (idle) { // without the lock: whoever closes may be a virtual thread
      LockSupport.parkNanos(DRAIN_LOOK_NANOS);
    }
    return over;
  }

  private void endAll(WokenSlots woken) {
    try {
      serveAtTheEnd(woken);
    } finally {
      ending = true;
      long at = failed ? -1 : tryClaim();
      if (at >= 0) {
        // Also what watches other rings: two that watched each other would never go away.
        SubmissionAbi.cancelEverything(ring.entries(), at, Tag.of(Tag.NOBODY));
        ring.push();
      }
    }
  }

  /** Looks for what has ended; false if there is nothing to do but wait for it. */
  private boolean isMoreEnded(long end, WokenSlots woken) {
    drained = isDrained();
    boolean abandoned = failed && operations.isEmpty();
    closed = drained || abandoned || driver.nanoTime() - end >= 0;
    return closed || serveAtTheEnd(woken) || isDrained();
  }

  private void free() {
    try {
      try {
        ring.close();
      } finally {
        counter.close();
      }
    } finally {
      if (drained) {
        try {
          buffers.close();
        } finally {
          sendBuffers.close();
        }
      } else if (failed) {
        buffers.abandon();
        sendBuffers.abandon();
      } // else the kernel may still write there: better lost than in somebody else's hands
    }
  }

  /**
   * What waits for a kernel call that does not end must learn of it all the same.
   *
   * @return whether some are left because {@code woken} is full
   */
  private boolean loseCalls(WokenSlots woken) {
    for (int i = 0; i < operations.slots(); i++) {
      if (operations.inSlot(i) instanceof CallOperation call) {
        if (woken.isFull()) {
          return true;
        }
        call.lose(this, woken);
      }
    }
    return false;
  }

  /** As {@link #serve}, and takes no memory for the kernel's sake unless that refuses. */
  private boolean serveAtTheEnd(WokenSlots woken) {
    if (!failed && refused == null && !ring.tryFlush()) {
      try {
        ring.flush(); // it tells why
      } catch (UringException e) {
        refused = e;
      }
    }
    return serve(woken);
  }

  private boolean isDrained() {
    return !failed && operations.isEmpty() && !wakeArmed && watched.isEmpty();
  }
}
