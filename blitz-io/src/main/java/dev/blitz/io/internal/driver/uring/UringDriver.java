package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.DescriptorEndpoint;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelCalls;
import dev.blitz.io.internal.driver.LingeringSockets;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SentMark;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.driver.socket.SocketPair;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The io_uring backend: a ring per worker, in which the worker submits and sleeps. */
/* Implementation notes
 *
 * Until the first socket there are no rings, and workers sleep in their seats.
 *
 *   field        | writer                        | reader             | mode
 *   rings        | open, once                    | all                | volatile
 *   needsHelp[i] | relieve, a watch, an outsider | park, deliver      | volatile; cleared by the worker that helps
 *
 * Help. A ring needs help when its worker does not look at it: because it is stuck in a poll, which the overseer sees
 * and tells by relieve, or because no thread drives it yet. The ring is marked and a parked worker is
 * unparked. Its park, whether it was sleeping or is about to, sees the mark and returns true, and its deliver
 * serves the ring under the ring's lock. From then on the helper watches the ring (a one-time poll of its
 * descriptor, on the helper's own ring), so the next completion finds it at once and not with the
 * overseer's next look. It stops to watch when the worker has been at its ring again.
 */
final class UringDriver implements Driver, Endpoints, KernelCalls {
  static final String NAME = "io_uring";

  private final TimeSource clock;
  private final Seats seats;
  private final BackendProbe probe;
  private final WokenSlots[] woken;
  private final int buffersPerRing;
  private final int closedSendMillis;
  private final Runnable kicker;
  private final AtomicIntegerArray needsHelp;
  private final EndpointRegistry<UringEndpoint> endpoints = new EndpointRegistry<>();
  private final KnownOperations operations = new KnownOperations();

  /** No monitor: a virtual thread that is next for one may need the very worker that waits. */
  private final PinnedLock openLock = new PinnedLock();

  /** Made beforehand, for {@link #closeSockets}: whoever comes first uses it. */
  private final AtomicReference<@Nullable WokenSlots> spare =
      new AtomicReference<>(new WokenSlots(UringTuning.WOKEN_IN_A_HURRY));

  private final SentMark sent = new SentMark();
  private final LingeringSockets lingering = new LingeringSockets();

  /** Makes closes that may wait. */
  private final Predicate<Runnable> blocking = this::callBlocking;

  private @Nullable DriverHost host;
  private volatile WorkerRing @Nullable [] rings;

  /** Whether a stuck thread can be made to do the kernel's work; before {@link #rings} is set. */
  private boolean kicks;

  UringDriver(Seats seats, BackendProbe probe) {
    this(seats, probe, UringTuning.buffersPerRing(seats.size()));
  }

  /** {@code buffersPerRing}: the most receive buffers that a worker's ring gets, a power of two. */
  UringDriver(Seats seats, BackendProbe probe, int buffersPerRing) {
    this(seats, probe, buffersPerRing, UringTuning.CLOSED_SEND_MILLIS);
  }

  UringDriver(Seats seats, BackendProbe probe, int buffersPerRing, int closedSendMillis) {
    this(seats, probe, buffersPerRing, closedSendMillis, UringCalls::kick);
  }

  /** {@code kicker}: lets all threads of the process pass through the kernel. */
  UringDriver(
      Seats seats, BackendProbe probe, int buffersPerRing, int closedSendMillis, Runnable kicker) {
    this.kicker = kicker;
    this.probe = probe;
    this.closedSendMillis = closedSendMillis;
    this.buffersPerRing = buffersPerRing;
    this.clock = seats.clock();
    this.seats = seats;
    int workers = seats.size();
    needsHelp = new AtomicIntegerArray(workers);
    woken = new WokenSlots[workers];
    for (int i = 0; i < workers; i++) {
      woken[i] = new WokenSlots(UringTuning.WOKEN_AT_ONCE);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BackendProbe backend() {
    return probe;
  }

  @Override
  public void start(DriverHost host) {
    this.host = host;
  }

  @Override
  public void attach(int worker) {
    seats.attach(worker);
    WorkerRing[] open = rings;
    if (open != null) {
      open[worker].driverChanged();
    }
  }

  // --- Sleeping ---

  @Override
  public boolean park(int worker, long deadlineNanos) {
    WorkerRing[] open = rings;
    if (open == null) {
      seats.sleep(worker, deadlineNanos);
      return false;
    }
    WorkerRing ring = open[worker];
    if (ring.hasFailed()) {
      if (!ring.seemsReady() && !doesAnyNeedHelp()) {
        seats.sleep(worker, deadlineNanos);
      }
    } else if (seats.trySitElsewhere(worker)) {
      try {
        if (!ring.seemsReady() && !doesAnyNeedHelp()) {
          ring.awaitCompletion(nanosUntil(deadlineNanos));
        }
      } finally {
        seats.leave(worker);
      }
    }
    // What others have added since, a cancel of who closes say, goes out before tasks are run.
    return ring.seemsReady() || ring.hasStaged() || ring.hasPending() || doesAnyNeedHelp();
  }

  @Override
  public boolean hasStaged(int worker) {
    WorkerRing[] open = rings;
    return open != null && open[worker].hasStaged();
  }

  private long nanosUntil(long deadlineNanos) {
    if (deadlineNanos == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    long left = Math.max(0, deadlineNanos - clock.nanoTime());
    return left > 0 && clock instanceof ManualClock ? Long.MAX_VALUE : left; // who moves it unparks
  }

  @Override
  public void unpark(int worker) {
    if (seats.wake(worker)) {
      wakeElsewhere(worker);
    }
  }

  @Override
  public void wakeElsewhere(int worker) {
    WorkerRing[] open = rings;
    if (open != null) {
      open[worker].signal();
    }
  }

  /** Entries were added to a ring: its worker, or another one, must come and submit them. */
  void added(int worker) {
    if (!seats.isAttached(worker)) {
      needsHelp.set(worker, 1);
      host().callWorker();
    } else if (seats.isWaiting(worker)) {
      unpark(worker);
    }
  }

  // --- Completions ---

  @Override
  public int deliver(int worker) {
    WorkerRing[] open = rings;
    if (open == null) {
      return 0;
    }
    int served = open[worker].serveOwn(woken[worker]);
    for (int i = 0; i < open.length; i++) {
      if (needsHelp.get(i) == 0) {
        continue;
      }
      needsHelp.set(i, 0);
      if (i != worker) {
        served += help(open, i, worker);
      }
    }
    return served;
  }

  private int help(WorkerRing[] open, int stuck, int worker) {
    boolean helped = false;
    try {
      int served = open[stuck].serveForAnother(open[worker], woken[worker]);
      helped = true;
      return served;
    } finally {
      if (!helped) {
        needsHelp.set(stuck, 1); // the rest is still there
      }
    }
  }

  /**
   * Submits and serves in the middle of a poll, if the calling code runs on a worker. That wakes
   * whoever it is for, and none of those wakes must be lost: the caller has looked for the stack.
   */
  void hurry() {
    WorkerRing ring = ringOfCaller();
    if (ring != null) {
      // The worker's own one may be in use further up.
      ring.serveOwn(new WokenSlots(UringTuning.WOKEN_IN_A_HURRY));
    }
  }

  /**
   * As {@link #hurry}, and serves the ring on which {@code operation} is armed, if its worker is
   * neither at it nor asleep there.
   *
   * @param kick whether the kernel has work left for that worker, which may be computing
   * @return whether something has completed there that is not served yet
   */
  boolean fetch(Operation operation, boolean kick) {
    StackRoom.forMany(); // to wake others
    hurry();
    WorkerRing home = operation.armedOn();
    if (home == null || home == ringOfCaller()) {
      return false;
    }
    if (kick) {
      kick();
    }
    home.serveForATry(new WokenSlots(UringTuning.WOKEN_IN_A_HURRY));
    if (doesAnyNeedHelp()) {
      host().callWorker(); // by a watch that was served here; its worker may have looked before
    }
    return operation.isArmed() && home.seemsReady();
  }

  /**
   * Lets {@code operation} end, at once if that can be: what it has brought is there then.
   *
   * @return false if it will end soon, which its last completion tells
   */
  boolean end(Operation operation) {
    StackRoom.forOwner(); // all of it, or nothing: fetch asks for less
    operation.cancel();
    for (int i = 0; i < 2 && operation.isArmed(); i++) {
      fetch(operation, i > 0); // its worker may be computing: then it is interrupted for the rest
    }
    return !operation.isArmed();
  }

  @Override
  public boolean takeSent() {
    return sent.take();
  }

  /** An endpoint has sent bytes, or left them to be sent. */
  void sent() {
    sent.set();
  }

  @Override
  public boolean relieve(int stuck) {
    WorkerRing[] open = rings;
    if (open != null) {
      kick();
    }
    boolean help = open != null && open[stuck].isNeglected();
    if (help) {
      needsHelp.set(stuck, 1);
    }
    return help;
  }

  /** Whether no thread has driven {@code worker} yet. */
  boolean isVacant(int worker) {
    return !seats.isAttached(worker);
  }

  /** Whether {@code worker} waits, and nobody has woken it. */
  boolean isWaiting(int worker) {
    return seats.isWaiting(worker);
  }

  /** Whoever watched ring {@code worker} has seen a completion there. */
  void needsHelp(int worker) {
    needsHelp.set(worker, 1);
  }

  /** Ring {@code failed} has been given up: nobody may hold it any more. */
  void unwatch(int failed) {
    WorkerRing[] open = rings;
    if (open != null) {
      for (WorkerRing ring : open) {
        ring.unwatch(failed);
      }
    }
  }

  private boolean doesAnyNeedHelp() {
    for (int i = 0; i < needsHelp.length(); i++) {
      if (needsHelp.get(i) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The ring of the worker on which the calling code runs; null outside of workers. */
  @Nullable WorkerRing ringOfCaller() {
    WorkerRing[] open = rings;
    int worker = host().currentWorker();
    return open == null || worker < 0 ? null : open[worker];
  }

  /**
   * Where the calling code's operations go: the ring of the worker it runs on; from outside the
   * ring of a worker that is awake, else any that has a thread, else any.
   */
  WorkerRing ringForCaller() {
    WorkerRing[] open = rings;
    if (open == null) {
      throw new IllegalStateException("no socket was made here");
    }
    int worker = host().currentWorker();
    if (worker >= 0) {
      return open[worker];
    }
    int best = 0;
    for (int i = 0; i < open.length; i++) {
      if (seats.isAttached(i)) {
        best = i;
        if (!seats.isWaiting(i)) {
          break;
        }
      }
    }
    return open[best];
  }

  private boolean callBlocking(Runnable call) {
    return host().callBlocking(call);
  }

  private DriverHost host() {
    if (host == null) {
      throw new IllegalStateException("not started");
    }
    return host;
  }

  // --- Sockets ---

  @Override
  public Endpoints endpoints() {
    return this;
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    open();
    return stream(SocketHandle.openSocket(family), family, -1);
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    open();
    SocketDescriptor descriptor = SocketHandle.openSocket(family);
    try {
      return endpoints.adopt(new UringListener(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  UringStream stream(SocketDescriptor descriptor, AddressFamily family, int lingerSeconds)
      throws IOException {
    try {
      return endpoints.adopt(new UringStream(this, handle(descriptor, family), lingerSeconds));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  private SocketHandle handle(SocketDescriptor descriptor, AddressFamily family) {
    return new SocketHandle(NAME, descriptor, family, blocking);
  }

  @Override
  public DatagramEndpoint openDatagram(AddressFamily family) throws IOException {
    open();
    return datagram(SocketHandle.openDatagram(family), family);
  }

  private DatagramEndpoint datagram(SocketDescriptor descriptor, AddressFamily family)
      throws IOException {
    try {
      return endpoints.adopt(new UringDatagram(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  @Override
  public List<StreamEndpoint> openStreamPair() throws IOException {
    open();
    return SocketPair.open(false, end -> stream(end, AddressFamily.UNIX, -1));
  }

  @Override
  public List<DatagramEndpoint> openDatagramPair() throws IOException {
    open();
    return SocketPair.open(true, end -> datagram(end, AddressFamily.UNIX));
  }

  @Override
  public DescriptorEndpoint adopt(int number) throws IOException {
    return owning(ForeignDescriptor.adopt(number));
  }

  @Override
  public DescriptorEndpoint reopen(int number) throws IOException {
    return owning(ForeignDescriptor.reopen(number));
  }

  private DescriptorEndpoint owning(ForeignDescriptor foreign) throws IOException {
    try {
      open();
      return endpoints.adopt(new UringDescriptor(this, foreign));
    } catch (Throwable t) { // no memory
      foreign.close();
      throw t;
    }
  }

  /** It is about to be closed, and keeps its address until nobody uses it. */
  void lingers(LingeringSockets.Bound socket) {
    lingering.add(socket);
  }

  /**
   * Binds. An address that a socket of this runtime is about to give up is waited for: whoever has
   * closed it may expect to have it again.
   */
  void bind(SocketHandle socket, SocketAddress local) throws IOException {
    socket.bind(local, new Lingering());
  }

  private final class Lingering implements BooleanSupplier {
    private final long end = nanoTime() + LingeringSockets.FREED_NANOS;
    private boolean seen;
    private long lastSeen;

    @Override
    public boolean getAsBoolean() {
      long now = nanoTime();
      if (!lingering.isEmpty()) {
        seen = true;
        lastSeen = now;
      } else if (!seen || now - lastSeen >= UringTuning.AFTER_COMPLETION_NANOS) {
        return false;
      }
      return now - end < 0 && letGo();
    }
  }

  /** Lets operations on closed sockets end, on whichever ring. */
  private boolean letGo() {
    StackRoom.forMany(); // to wake others
    hurry();
    kick();
    WorkerRing[] open = rings;
    WorkerRing own = ringOfCaller();
    if (open != null) {
      for (WorkerRing ring : open) {
        if (ring != own) {
          ring.serveForATry(new WokenSlots(UringTuning.WOKEN_IN_A_HURRY));
        }
      }
    }
    StackRoom.yieldOrSpin();
    return true;
  }

  // --- Kernel calls ---

  @Override
  public KernelCalls kernelCalls() {
    return this;
  }

  @Override
  public boolean knows(int opcode) {
    return operations.contains(opcode);
  }

  @Override
  public void submit(KernelCall call) throws IOException {
    open();
    var operation = new CallOperation(call);
    call.submittedAs(operation::cancel);
    sent.set(); // its completion is an answer too
    WorkerRing ring = ringForCaller();
    if (!seats.isAttached(ring.worker())) {
      host().callWorker(); // first: where no thread can be had nothing has been made
    }
    boolean made;
    try {
      made = operation.arm(ring);
      if (made && call.goesAtOnce() && host().currentWorker() >= 0) {
        ring.submitNow();
      }
    } catch (RuntimeException | Error e) {
      if (!operation.hasBeenArmed()) {
        throw e;
      }
      made = true; // and only what follows has failed: whoever comes next serves it
    }
    if (!made) {
      throw new ClosedChannelException();
    }
  }

  void forget(long key) {
    endpoints.forget(key);
  }

  @Override
  public void open() throws IOException {
    if (endpoints.isClosed()) {
      throw new ClosedChannelException();
    }
    if (rings != null) {
      return;
    }
    openLock.lock();
    try {
      if (rings == null) {
        makeRings();
      }
    } finally {
      openLock.unlock();
    }
  }

  private void makeRings() throws IOException {
    if (endpoints.isClosed()) {
      throw new ClosedChannelException(); // who closes looks for rings under this lock
    }
    kicks = UringCalls.enableKick();
    int flags = UringAbi.SETUP_SUBMIT_ALL;
    if (kicks) {
      flags |= UringAbi.SETUP_COOP_TASKRUN | UringAbi.SETUP_TASKRUN_FLAG;
    }
    WorkerRing[] made = new WorkerRing[needsHelp.length()];
    int count = 0;
    try {
      while (count < made.length) {
        made[count] = new WorkerRing(this, count, flags, buffersPerRing);
        count++;
      }
    } catch (Throwable t) {
      closeMade(made, count);
      if (t instanceof UringException e) {
        throw new IOException(
            NAME
                + " cannot make ring "
                + (count + 1)
                + " of "
                + made.length
                + ": "
                + e.getMessage()
                + UringFindings.hint(e.errno()),
            e);
      }
      throw t;
    }
    rings = made;
    // A worker that saw no rings and is about to sleep, or sleeps, outside them must look again:
    // nobody who adds an entry would wake it, if its word was not set yet.
    for (int i = 0; i < made.length; i++) {
      unpark(i);
    }
  }

  /** The last first, each also if another could not be closed in order. */
  private void closeMade(WorkerRing[] made, int count) {
    if (count > 0) {
      try {
        made[count - 1].close(woken[count - 1]);
      } finally {
        closeMade(made, count - 1);
      }
    }
  }

  @Override
  public void closeSockets() {
    WorkerRing[] open = closeEndpoints();
    if (open != null) {
      WokenSlots scratch = spare.getAndSet(null);
      if (scratch == null) { // another one closes them too
        scratch = new WokenSlots(UringTuning.WOKEN_IN_A_HURRY);
      }
      try {
        drain(open, open.length, scratch);
      } finally {
        spare.set(scratch);
      }
    }
  }

  /** As {@link #closeMade}. */
  private static void drain(WorkerRing[] open, int count, WokenSlots scratch) {
    if (count > 0) {
      try {
        open[count - 1].drain(scratch);
      } finally {
        drain(open, count - 1, scratch);
      }
    }
  }

  private WorkerRing @Nullable [] closeEndpoints() {
    endpoints.closeAll();
    openLock.lock(); // rings that are being made: those who make them have seen it open
    try {
      return rings;
    } finally {
      openLock.unlock();
    }
  }

  /** Lets a thread that computes do the kernel's work for its rings, where that can be had. */
  void kick() {
    if (kicks) {
      kicker.run();
    }
  }

  @Override
  public void close() {
    WorkerRing[] open = closeEndpoints();
    if (open != null) {
      try {
        awaitSends(open);
      } finally {
        closeMade(open, open.length);
      }
    }
  }

  /** See {@link UringTuning#CLOSED_SEND_MILLIS}. */
  int closedSendMillis() {
    return closedSendMillis;
  }

  /** Real time. */
  long nanoTime() {
    return host().nanoTime();
  }

  private static boolean serveSends(WorkerRing ring, WokenSlots woken) {
    try {
      return ring.serveSends(woken);
    } finally {
      woken.wakeAll();
    }
  }

  /** What was written is to be sent, if the peers read it in time. */
  private void awaitSends(WorkerRing[] open) {
    long end = nanoTime() + UringTuning.SEND_GRACE_NANOS;
    Throwable failure = null;
    for (; ; ) {
      boolean sends = false;
      for (int i = 0; i < open.length; i++) {
        try {
          sends |= serveSends(open[i], woken[i]);
        } catch (RuntimeException | Error e) { // the others all the same
          sends = true;
          failure = e;
        }
      }
      if (!sends || nanoTime() - end >= 0) {
        SafeCalls.rethrow(failure);
        return;
      }
      LockSupport.parkNanos(UringTuning.SEND_LOOK_NANOS);
    }
  }
}
