package dev.blitz.io.internal.current;

import dev.blitz.io.internal.timer.RuntimeTimers;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A runtime as every thread inside it sees it: its parts, and whether it is closing. */
/* Implementation notes
 *
 *   forgotten as api
 *   api       written once, before the first task or thread exists; read by all, plainly
 *   closing   only ever set, by whoever closes; volatile
 */
public final class Home {
  private final Failures failures;
  private final RuntimeTimers timers;
  private final BusyThreads busy;
  private final Places places;
  private final TaskThreads taskThreads;
  private final AtomicLong seeds;
  private final AtomicLong taskNumbers = new AtomicLong();
  private @Nullable Object api;
  private @Nullable ForgottenFutures forgotten;
  private volatile boolean closing;

  /** Has no API yet: see {@link #open}. */
  public Home(
      Failures failures,
      RuntimeTimers timers,
      BusyThreads busy,
      Places places,
      TaskThreads taskThreads,
      long seed) {
    this.failures = failures;
    this.timers = timers;
    this.busy = busy;
    this.places = places;
    this.taskThreads = taskThreads;
    this.seeds = new AtomicLong(seed);
  }

  /** Where failures go that have no owner. */
  public Failures failures() {
    return failures;
  }

  /** The runtime's timers. */
  public RuntimeTimers timers() {
    return timers;
  }

  /** The threads besides the workers that may wake tasks. */
  public BusyThreads busy() {
    return busy;
  }

  /** How many calls may block in place. */
  public Places places() {
    return places;
  }

  /** The threads of direct tasks. */
  public TaskThreads taskThreads() {
    return taskThreads;
  }

  /** For random numbers of one's own: another one for each call, all from the runtime's seed. */
  public long nextSeed() {
    return seeds.getAndIncrement();
  }

  /** A number for a task that is asked for one: 1, 2, 3... */
  public long nextTaskNumber() {
    return taskNumbers.incrementAndGet();
  }

  /** Sets what the packages of the API reach the runtime by; before the first task. */
  public void open(Object api) {
    this.api = api;
  }

  /** What {@link #open} was given; its users know which of its types they need. */
  public Object api() {
    return Objects.requireNonNull(api, "the runtime is not built yet");
  }

  /** Looks for futures that nobody awaits; before the first task. */
  public void lookForForgotten() {
    forgotten = new ForgottenFutures(failures.unjoined());
  }

  /** Ends {@link #lookForForgotten}. */
  public void stopLooking() {
    if (forgotten != null) {
      forgotten.close();
    }
  }

  @Nullable ForgottenFutures forgotten() {
    return forgotten;
  }

  /** From now on new tasks are refused, and all others cancelled. */
  public void beginClosing() {
    closing = true;
  }

  /** Whether {@link #beginClosing} was called. */
  public boolean isClosing() {
    return closing;
  }
}
