package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.LingeringSockets;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SentMark;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a driver that waits, on a shared source of events, which is opened with the first
 * socket that waits.
 *
 * @param <S> the kind of source
 */
/* Implementation notes
 *
 *   field    | writer                     | reader            | mode
 *   source   | source(), once             | everybody         | volatile
 *   waiting  | the worker that waits      | parking workers,  | compareAndSet / volatile
 *            |                            | relieve           |
 *   batches  | each worker its own        | the same          | plain; hand-over of a worker is an edge
 *
 * At most one worker waits in the source (`waiting`); it has said so in its seat, so unpark wakes the source
 * instead of unparking a thread. Whoever finds the role taken sleeps in its seat. The role is free while its last
 * holder runs tasks; docs/design/driver.md tells why nobody needs to be woken for it but by `relieve`. One more case:
 * the source is opened while all workers sleep in their seats. Then the opener calls a worker.
 */
public abstract class PollingDriver<S extends EventSource> implements Driver {
  private final TimeSource clock;
  private final Seats seats;
  private final BackendProbe probe;
  private final EventSource.Maker<S> maker;
  private final EventSource.@Nullable Events[] batches;
  private final AtomicBoolean waiting = new AtomicBoolean();
  private final CallsInProgress calls;
  private final LingeringSockets lingering = new LingeringSockets();
  private final EndpointRegistry<PolledEndpoint<?>> endpoints = new EndpointRegistry<>();

  /** No monitor: a virtual thread that is next for one may need the very worker that waits. */
  private final PinnedLock openLock = new PinnedLock();

  private final SentMark sent = new SentMark();

  /** Makes closes that may wait. */
  private final Predicate<Runnable> blocking = this::callBlocking;

  private volatile @Nullable S source;
  private @Nullable DriverHost host;

  /** {@code maker} opens the source when it is needed. */
  protected PollingDriver(Seats seats, BackendProbe probe, EventSource.Maker<S> maker) {
    this.probe = probe;
    this.maker = maker;
    this.clock = seats.clock();
    this.seats = seats;
    this.batches = new EventSource.Events[seats.size()];
    this.calls = new CallsInProgress(seats.size());
  }

  @Override
  public final String name() {
    return probe.name();
  }

  @Override
  public final BackendProbe backend() {
    return probe;
  }

  @Override
  public final void start(DriverHost host) {
    this.host = host;
  }

  @Override
  public final void attach(int worker) {
    seats.attach(worker);
  }

  @Override
  public final void open() throws IOException {
    source();
  }

  private EventSource.Events batchOf(S open, int worker) {
    EventSource.Events batch = batches[worker];
    if (batch == null) {
      batch = open.newEvents();
      batches[worker] = batch;
    }
    return batch;
  }

  // --- Waiting ---

  @Override
  public final boolean park(int worker, long deadlineNanos) {
    S open = source;
    if (open == null || !waiting.compareAndSet(false, true)) {
      seats.sleep(worker, deadlineNanos);
      return false;
    }
    EventSource.Events batch;
    try {
      batch = batchOf(open, worker);
      if (batch.count() > 0) {
        return true; // left by a wait that failed: it will not be found again
      }
      if (!seats.trySitElsewhere(worker)) {
        return false;
      }
      calls.begin(worker);
      try {
        open.await(batch, nanosUntil(deadlineNanos));
      } finally {
        calls.end(worker);
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
  public final int deliver(int worker) {
    S open = source;
    if (open == null) {
      return 0;
    }
    EventSource.Events batch = batchOf(open, worker);
    if (batch.count() == 0) {
      calls.begin(worker);
      try {
        open.look(batch);
      } finally {
        calls.end(worker);
      }
    }
    int n = batch.count();
    for (int i = 0; i < n; i++) {
      PolledEndpoint<?> endpoint = endpoints.find(batch.key(i));
      if (endpoint != null) {
        endpoint.signal(batch.bits(i));
      }
    }
    batch.clear();
    return n;
  }

  @Override
  public final void unpark(int worker) {
    if (seats.wake(worker)) {
      wakeElsewhere(worker);
    }
  }

  @Override
  public final void wakeElsewhere(int worker) {
    S open = source;
    if (open != null) {
      open.wake();
    }
  }

  @Override
  public final boolean takeSent() {
    return sent.take();
  }

  /** An endpoint has sent bytes. */
  public final void sent() {
    sent.set();
  }

  @Override
  public final boolean relieve(int stuck) {
    return source != null && !waiting.get();
  }

  // --- Endpoints ---

  /** Makes an endpoint known; closes it if the driver is closed. */
  protected final <T extends PolledEndpoint<?>> T known(T endpoint) throws ClosedChannelException {
    return endpoints.adopt(endpoint);
  }

  /** An endpoint is being closed. */
  final void forget(long key) {
    endpoints.forget(key);
  }

  /** The source, or null if nobody has waited yet. */
  protected final @Nullable S sourceOrNull() {
    return source;
  }

  /** The source; opened by the first call. */
  protected final S source() throws IOException {
    S open = source;
    if (open != null) {
      return open;
    }
    openLock.lock();
    try {
      open = source;
      if (open == null) {
        if (endpoints.isClosed()) {
          throw new ClosedChannelException();
        }
        open = maker.open();
        source = open;
      }
    } finally {
      openLock.unlock();
    }
    if (host().currentWorker() < 0) {
      host().callWorker(); // a worker that opens it parks in it later, or is relieved
    }
    return open;
  }

  /** It is about to be closed, and keeps its address until nobody uses it. */
  final void lingers(LingeringSockets.Bound socket) {
    lingering.add(socket);
  }

  /**
   * For one bind, asked when it finds its address in use: whether sockets of this driver that were
   * closed before may still have it. Ends what keeps them, and waits a moment.
   */
  public final BooleanSupplier lingering() {
    return new Lingering();
  }

  private final class Lingering implements BooleanSupplier {
    private final long end = host().nanoTime() + LingeringSockets.FREED_NANOS;

    /** Since nobody uses a closed socket any more; null before. */
    private int @Nullable [] then;

    @Override
    public boolean getAsBoolean() {
      if (!mayBe() || host().nanoTime() - end >= 0) {
        return false;
      }
      StackRoom.yieldOrSpin();
      return true;
    }

    private boolean mayBe() {
      if (!lingering.isEmpty()) {
        then = null; // a call may have begun to keep one
        return true;
      }
      if (then == null) {
        then = calls.now();
        S open = source;
        if (open != null && calls.anyOf(then)) {
          open.wake(); // once: it is kept for one who is about to wait
        }
      }
      return calls.anyOf(then);
    }
  }

  /** Makes a call on a thread that may wait, or answers false. */
  protected final Predicate<Runnable> blocking() {
    return blocking;
  }

  private boolean callBlocking(Runnable call) {
    return host().callBlocking(call);
  }

  /** What it serves. */
  protected final DriverHost host() {
    return Objects.requireNonNull(host);
  }

  @Override
  public final void closeSockets() {
    endpoints.closeAll();
  }

  @Override
  public final void close() {
    closeSockets();
    openLock.lock();
    try {
      S open = source;
      if (open != null) {
        open.close();
      }
    } finally {
      openLock.unlock();
    }
  }

  @Override
  public final String toString() {
    return name() + " driver with " + endpoints.size() + " endpoints";
  }
}
