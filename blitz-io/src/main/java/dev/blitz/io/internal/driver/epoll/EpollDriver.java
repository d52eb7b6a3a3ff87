package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SlotTable;
import dev.blitz.io.internal.driver.Sockets;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The driver on a shared epoll instance, which is opened with the first socket that waits. */
/* Implementation notes
 *
 *   field    | writer                     | reader            | mode
 *   instance | instance(), once; close    | everybody         | volatile
 *   waiting  | the worker that waits      | parking workers,  | compareAndSet / volatile
 *            |                            | relieve           |
 *   batches  | each worker its own        | the same          | plain; hand-over of a worker is an edge
 *
 * At most one worker waits in the instance (`waiting`); it has said so in its seat, so unpark adds to the event counter
 * instead of unparking a thread. Whoever finds the role taken sleeps in its seat. The role is free while its last
 * holder runs tasks; docs/design/driver.md tells why nobody needs to be woken for it but by `relieve`. One more case:
 * the instance is opened while all workers sleep in their seats. Then the opener calls a worker.
 */
final class EpollDriver implements Driver, Sockets {
  private final TimeSource clock;
  private final Seats seats;
  private final BackendProbe probe;
  private final @Nullable EventBatch[] batches;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final SlotTable<EpollEndpoint> endpoints = new SlotTable<>(64);
  private final Object openLock = new Object();
  private volatile @Nullable EpollInstance instance;
  private volatile boolean closed;
  private @Nullable DriverHost host;

  EpollDriver(Seats seats, BackendProbe probe) {
    this.probe = probe;
    this.clock = seats.clock();
    this.seats = seats;
    this.batches = new EventBatch[seats.size()];
  }

  @Override
  public String name() {
    return EpollBackend.NAME;
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

  private EventBatch batchOf(int worker) {
    EventBatch batch = batches[worker];
    if (batch == null) {
      batch = new EventBatch();
      batches[worker] = batch;
    }
    return batch;
  }

  // --- Waiting ---

  @Override
  public boolean park(int worker, long deadlineNanos) {
    EpollInstance open = instance;
    if (open == null || !waiting.compareAndSet(false, true)) {
      seats.sleep(worker, deadlineNanos);
      return false;
    }
    EventBatch batch;
    try {
      batch = batchOf(worker);
      if (!seats.trySitElsewhere(worker)) {
        return false;
      }
      try {
        open.await(batch, nanosUntil(deadlineNanos));
        if (batch.takeWake()) {
          open.resetWake();
        }
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
    return left > 0 && clock.isManual() ? -1 : left;
  }

  @Override
  public int deliver(int worker) {
    EpollInstance open = instance;
    if (open == null) {
      return 0;
    }
    EventBatch batch = batchOf(worker);
    if (batch.count() == 0) {
      open.await(batch, 0);
    }
    int n = batch.count();
    for (int i = 0; i < n; i++) {
      EpollEndpoint endpoint = endpoints.find(batch.key(i));
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
    EpollInstance open = instance;
    if (open != null) {
      open.wake();
    }
  }

  @Override
  public boolean relieve(int stuck) {
    return instance != null && !waiting.get();
  }

  // --- Endpoints ---

  @Override
  public Sockets sockets() {
    return this;
  }

  @Override
  public StreamEndpoint openStream(AddressFamily family) throws IOException {
    return adopt(new EpollStream(this, SocketEndpoint.openSocket(family), family));
  }

  @Override
  public ListenerEndpoint openListener(AddressFamily family) throws IOException {
    return adopt(new EpollListener(this, SocketEndpoint.openSocket(family), family));
  }

  /** Makes an endpoint known, so that events find it and closing ends it. */
  <T extends EpollEndpoint> T adopt(T endpoint) throws ClosedChannelException {
    endpoint.setKey(endpoints.insert(endpoint));
    if (closed) { // close() may have looked at the table before
      endpoint.close();
      throw new ClosedChannelException();
    }
    return endpoint;
  }

  boolean callBlocking(Runnable call) {
    return Objects.requireNonNull(host).callBlocking(call);
  }

  void forget(long key) {
    endpoints.remove(key);
  }

  /** The instance; opened by the first call. */
  EpollInstance instance() throws IOException {
    EpollInstance open = instance;
    if (open != null) {
      return open;
    }
    synchronized (openLock) {
      open = instance;
      if (open == null) {
        if (closed) {
          throw new ClosedChannelException();
        }
        open = EpollInstance.open();
        instance = open;
      }
    }
    DriverHost scheduler = Objects.requireNonNull(host);
    if (scheduler.currentWorker() < 0) {
      scheduler.callWorker(); // a worker that opens it parks in it later, or is relieved
    }
    return open;
  }

  @Override
  public void closeSockets() {
    closed = true;
    endpoints.snapshot().forEach(EpollEndpoint::close);
  }

  @Override
  public void close() {
    closeSockets();
    synchronized (openLock) {
      EpollInstance open = instance;
      if (open != null) {
        open.close();
      }
    }
  }

  @Override
  public String toString() {
    return "epoll driver with " + endpoints.size() + " sockets";
  }
}
