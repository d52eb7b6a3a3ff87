package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.policy.TimeSource;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What workers sleep in until somebody asks for sockets: then the best backend takes over. A
 * runtime that needs none neither looks for a backend, which takes long in a new JVM, nor loads its
 * classes.
 */
/* Implementation notes
 *
 *   field    | writer                     | reader    | mode
 *   chosen   | the first that asks, once  | everybody | compareAndSet / volatile
 *   closed, socketsClosed | close, closeSockets | choose | volatile; written before chosen is read, read after it is written
 *   ended    | who closes the backend     | the same  | compareAndSet: a close and a choice may both have seen the other
 *
 * The backend's driver shares the seats, so a worker that sleeps when it takes over is woken as before. An unpark
 * that has read `chosen` as null and finds its worker waiting elsewhere wakes it there: the worker had seen the
 * driver, so it is visible. Two that choose at a time both make a driver; one of them is closed. Whoever chooses
 * while the runtime closes does with the backend what the close would have done: another thread may have opened
 * descriptors in it already.
 *
 * A driver is open before it is chosen: what was found by a probe may be refused all the same (descriptors, locked
 * memory, a filter that came since), and then the next best is taken. A worker that has read `chosen` as null, and is
 * about to sleep, would not be woken for what is left in its ring: so all of them look again.
 *
 * What was not found is looked for again by the next who asks: descriptors may have been short.
 */
public final class ParkDriver implements Driver {
  private static final VarHandle CHOSEN = Fields.of(MethodHandles.lookup(), "chosen", Driver.class);
  private static final VarHandle ENDED = Fields.of(MethodHandles.lookup(), "ended", boolean.class);

  private final Seats seats;
  private final Backend.Search search;
  private volatile @Nullable Driver chosen;
  private volatile boolean socketsClosed;
  private volatile boolean closed;

  @SuppressWarnings("UnusedVariable") // through ENDED
  private volatile boolean ended;

  private @Nullable DriverHost host;

  /** For {@code workers} workers that live by {@code clock}; {@code search} looks for a backend. */
  public ParkDriver(int workers, TimeSource clock, Backend.Search search) {
    this.seats = new Seats(workers, clock);
    this.search = search;
  }

  @Override
  public String name() {
    Driver backend = chosen;
    return backend == null ? "none" : backend.name();
  }

  @Override
  public BackendProbe backend() {
    Driver backend = chosen;
    return backend == null ? choose().probe() : backend.backend();
  }

  @Override
  public void start(DriverHost host) {
    this.host = host;
  }

  @Override
  public void attach(int worker) {
    Driver backend = chosen;
    if (backend == null) {
      seats.attach(worker);
    } else {
      backend.attach(worker);
    }
  }

  // --- Sleeping ---

  @Override
  public boolean park(int worker, long deadlineNanos) {
    Driver backend = chosen;
    if (backend != null) {
      return backend.park(worker, deadlineNanos);
    }
    seats.sleep(worker, deadlineNanos);
    return false;
  }

  @Override
  public void unpark(int worker) {
    if (seats.wake(worker)) {
      wakeElsewhere(worker);
    }
  }

  @Override
  public void wakeElsewhere(int worker) {
    Driver backend = chosen;
    if (backend != null) {
      backend.wakeElsewhere(worker);
    }
  }

  @Override
  public int deliver(int worker) {
    Driver backend = chosen;
    return backend == null ? 0 : backend.deliver(worker);
  }

  @Override
  public boolean hasStaged(int worker) {
    Driver backend = chosen;
    return backend != null && backend.hasStaged(worker);
  }

  @Override
  public boolean takeSent() {
    Driver backend = chosen;
    return backend != null && backend.takeSent();
  }

  @Override
  public boolean relieve(int stuck) {
    Driver backend = chosen;
    return backend != null && backend.relieve(stuck);
  }

  // --- Choosing ---

  @Override
  public Endpoints endpoints() {
    Driver backend = chosen;
    if (backend == null) {
      Backend.Found found = choose();
      backend = chosen;
      if (backend == null) {
        throw new UnsupportedOperationException(found.probe().detail());
      }
    }
    return backend.endpoints();
  }

  @Override
  public @Nullable KernelCalls kernelCalls() {
    if (chosen == null) { // no backend is opened for one who cannot use it
      Backend best = search.best(List.of()).backend();
      if (best == null || !best.hasKernelCalls()) {
        return null;
      }
      choose();
    }
    Driver backend = chosen;
    return backend == null ? null : backend.kernelCalls();
  }

  private Backend.Found choose() {
    List<BackendProbe> refused = new ArrayList<>();
    for (; ; ) {
      Backend.Found found = search.best(refused);
      Backend backend = found.backend();
      if (backend == null) {
        return found;
      }
      Driver driver = backend.create(seats, found.probe());
      DriverHost scheduler = host;
      try {
        if (scheduler != null) {
          driver.start(scheduler);
          driver.open();
        }
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        String reason = e.getMessage(); // what it had opened is closed
        refused.add(Backend.refused(backend.name(), reason == null ? Telling.of(e) : reason));
        continue;
      }
      choose(driver, scheduler != null);
      return found;
    }
  }

  private void choose(Driver driver, boolean open) {
    if (!CHOSEN.compareAndSet(this, (Driver) null, driver)) {
      driver.close();
    } else if (open) {
      for (int i = 0; i < seats.size(); i++) {
        unpark(i);
      }
    }
    if (closed) {
      close();
    } else if (socketsClosed) {
      closeSockets();
    }
  }

  // --- The end ---

  @Override
  public void closeSockets() {
    socketsClosed = true;
    Driver backend = chosen;
    if (backend != null) {
      backend.closeSockets();
    }
  }

  @Override
  public void close() {
    closed = true;
    Driver backend = chosen;
    if (backend != null && ENDED.compareAndSet(this, false, true)) {
      backend.close();
    }
  }

  @Override
  public String toString() {
    Driver backend = chosen;
    return backend == null ? "no driver yet" : backend.toString();
  }
}
