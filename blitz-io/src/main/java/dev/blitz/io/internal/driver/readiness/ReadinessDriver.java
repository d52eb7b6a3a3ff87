package dev.blitz.io.internal.driver.readiness;

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
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SentMark;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.ForeignDescriptor;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.driver.socket.SocketPair;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The driver on a shared poller, which is opened with the first socket that waits. */
/* Implementation notes
 *
 *   field    | writer                     | reader            | mode
 *   poller   | poller(), once; close      | everybody         | volatile
 *   waiting  | the worker that waits      | parking workers,  | compareAndSet / volatile
 *            |                            | relieve           |
 *   batches  | each worker its own        | the same          | plain; hand-over of a worker is an edge
 *
 * At most one worker waits in the poller (`waiting`); it has said so in its seat, so unpark wakes the poller
 * instead of unparking a thread. Whoever finds the role taken sleeps in its seat. The role is free while its last
 * holder runs tasks; docs/design/driver.md tells why nobody needs to be woken for it but by `relieve`. One more case:
 * the poller is opened while all workers sleep in their seats. Then the opener calls a worker.
 */
public final class ReadinessDriver implements Driver, Endpoints {
  private final TimeSource clock;
  private final Seats seats;
  private final BackendProbe probe;
  private final Poller.Maker maker;
  private final Poller.@Nullable Events[] batches;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final EndpointRegistry<ReadinessEndpoint> endpoints = new EndpointRegistry<>();

  /** No monitor: a virtual thread that is next for one may need the very worker that waits. */
  private final PinnedLock openLock = new PinnedLock();

  private final SentMark sent = new SentMark();

  /** Makes closes that may wait. */
  private final Predicate<Runnable> blocking = this::callBlocking;

  private volatile @Nullable Poller poller;
  private @Nullable DriverHost host;

  /** {@code maker} opens the poller when it is needed. */
  public ReadinessDriver(Seats seats, BackendProbe probe, Poller.Maker maker) {
    this.probe = probe;
    this.maker = maker;
    this.clock = seats.clock();
    this.seats = seats;
    this.batches = new Poller.Events[seats.size()];
  }

  @Override
  public String name() {
    return probe.name();
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
  }

  private Poller.Events batchOf(Poller open, int worker) {
    Poller.Events batch = batches[worker];
    if (batch == null) {
      batch = open.newEvents();
      batches[worker] = batch;
    }
    return batch;
  }

  // --- Waiting ---

  @Override
  public boolean park(int worker, long deadlineNanos) {
    Poller open = poller;
    if (open == null || !waiting.compareAndSet(false, true)) {
      seats.sleep(worker, deadlineNanos);
      return false;
    }
    Poller.Events batch;
    try {
      batch = batchOf(open, worker);
      if (!seats.trySitElsewhere(worker)) {
        return false;
      }
      try {
        open.await(batch, nanosUntil(deadlineNanos));
      } finally {
        seats.leave(worker);
      }
    } finally {
      waiting.set(false);
    }
    return batch.count() > 0;
  }

  /** Negative for no limit; whoever moves a manual clock unparks. */
  private long nanosUntil(long deadlineNanos) {
    if (deadlineNanos == Long.MAX_VALUE) {
      return -1;
    }
    long left = Math.max(0, deadlineNanos - clock.nanoTime());
    return left > 0 && clock instanceof ManualClock ? -1 : left;
  }

  @Override
  public int deliver(int worker) {
    Poller open = poller;
    if (open == null) {
      return 0;
    }
    Poller.Events batch = batchOf(open, worker);
    if (batch.count() == 0) {
      open.look(batch);
    }
    int n = batch.count();
    for (int i = 0; i < n; i++) {
      ReadinessEndpoint endpoint = endpoints.find(batch.key(i));
      if (endpoint != null) {
        endpoint.signal(batch.bits(i));
      }
    }
    batch.clear();
    return n;
  }

  @Override
  public void unpark(int worker) {
    if (seats.wake(worker)) {
      wakeElsewhere(worker);
    }
  }

  @Override
  public void wakeElsewhere(int worker) {
    Poller open = poller;
    if (open != null) {
      open.wake();
    }
  }

  @Override
  public boolean takeSent() {
    return sent.take();
  }

  /** An endpoint has sent bytes. */
  void sent() {
    sent.set();
  }

  @Override
  public boolean relieve(int stuck) {
    return poller != null && !waiting.get();
  }

  // --- Endpoints ---

  @Override
  public Endpoints endpoints() {
    return this;
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    return stream(SocketHandle.openSocket(family), family);
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    SocketDescriptor descriptor = SocketHandle.openSocket(family);
    try {
      return endpoints.adopt(new ReadinessListener(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  ReadinessStream stream(SocketDescriptor descriptor, AddressFamily family) throws IOException {
    try {
      return endpoints.adopt(new ReadinessStream(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  private SocketHandle handle(SocketDescriptor descriptor, AddressFamily family) {
    return new SocketHandle(name(), descriptor, family, blocking);
  }

  @Override
  public DatagramEndpoint openDatagram(AddressFamily family) throws IOException {
    return datagram(SocketHandle.openDatagram(family), family);
  }

  private DatagramEndpoint datagram(SocketDescriptor descriptor, AddressFamily family)
      throws IOException {
    try {
      return endpoints.adopt(new ReadinessDatagram(this, handle(descriptor, family)));
    } catch (Throwable t) { // no memory
      descriptor.close();
      throw t;
    }
  }

  @Override
  public List<StreamEndpoint> openStreamPair() throws IOException {
    return SocketPair.open(false, end -> stream(end, AddressFamily.UNIX));
  }

  @Override
  public List<DatagramEndpoint> openDatagramPair() throws IOException {
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
      return endpoints.adopt(new ReadinessDescriptor(this, foreign));
    } catch (Throwable t) { // no memory
      foreign.close();
      throw t;
    }
  }

  /** Binds; an address that a closed socket is about to give up is waited for. */
  void bind(SocketHandle socket, SocketAddress local) throws IOException {
    Poller open = poller;
    if (open == null) {
      socket.bind(local);
      return;
    }
    int call = open.callNow();
    long end = host().nanoTime() + SocketHandle.FREED_NANOS;
    socket.bind(
        local,
        () -> {
          boolean held = open.holdsClosed(call) && host().nanoTime() - end < 0;
          if (held) {
            StackRoom.yieldOrSpin();
          }
          return held;
        });
  }

  /** An endpoint is being closed; its number is still in use. */
  void forget(int fd, long key) {
    endpoints.forget(key);
    Poller open = poller;
    if (open != null) {
      open.disarm(fd, key);
    }
  }

  /** Whether no call names what is waited for. */
  boolean staysArmed() {
    Poller open = poller;
    return open == null || open.staysArmed();
  }

  /** The poller; opened by the first call. */
  Poller poller() throws IOException {
    Poller open = poller;
    if (open != null) {
      return open;
    }
    openLock.lock();
    try {
      open = poller;
      if (open == null) {
        if (endpoints.isClosed()) {
          throw new ClosedChannelException();
        }
        open = maker.open();
        poller = open;
      }
    } finally {
      openLock.unlock();
    }
    if (host().currentWorker() < 0) {
      host().callWorker(); // a worker that opens it parks in it later, or is relieved
    }
    return open;
  }

  private boolean callBlocking(Runnable call) {
    return host().callBlocking(call);
  }

  private DriverHost host() {
    return Objects.requireNonNull(host);
  }

  void disarmShared(int fd) {
    Poller open = poller;
    if (open != null) {
      open.disarmShared(fd);
    }
  }

  @Override
  public void closeSockets() {
    endpoints.closeAll();
  }

  @Override
  public void close() {
    closeSockets();
    openLock.lock();
    try {
      Poller open = poller;
      if (open != null) {
        open.close();
      }
    } finally {
      openLock.unlock();
    }
  }

  @Override
  public String toString() {
    return name() + " driver with " + endpoints.size() + " endpoints";
  }
}
