package dev.blitz.io.shutdown;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.SignalListener;
import dev.blitz.io.signal.Signals;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Spawner;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings a program to its end: takes nothing new, finishes what has begun, and says who did not
 * finish.
 *
 * {@snippet :
 * try (var shutdown = Shutdown.onSignals(); // INT, TERM; a second one forces
 *     var listener = TcpListener.bind(8080);
 *     var connections = shutdown.track(TaskScope.open(supervise(log::warn).and(limit(1000))))) {
 *   shutdown.whileRunning(
 *       listener::accept,
 *       stream -> connections.spawn(SpawnOptions.owning(stream), () -> serve(stream, shutdown)));
 *   listener.close(); // from now on clients are refused, instead of left waiting
 *   ShutdownReport report = shutdown.drain(Duration.ofSeconds(30));
 * }
 * }
 *
 * <p>It is triggered once, by a signal, a call or the end of the JVM. {@link #triggered()} and
 * {@link #token()} tell at once. What waits with {@link #guard} or {@link #whileRunning} goes on
 * for a short while, the <em>linger</em>, so that whatever was sent before is still taken, then
 * ends. A {@link #drain} waits for that, runs the actions of each {@link ShutdownPhase}, and waits
 * for tasks and scopes that are {@linkplain #track tracked} and for {@linkplain #begin work} in
 * progress. When its time is up, or somebody {@linkplain #force forces} it, those that are left are
 * noted with the place where they are, and cancelled.
 *
 * <p>Belongs to a runtime, on which it waits and runs actions; a close of the runtime ends it as
 * all else. It does not close the runtime: that comes after it.
 *
 * <p>Thread safe. Nothing here waits but {@link #drain} and {@link #whileRunning}.
 */
/* Implementation notes
 *
 * docs/design/shutdown.md has the protocol. In short:
 *   token    cancelled at the trigger, after `reason` was decided by CAS
 *   stop     cancelled when the linger is over: by a task of the runtime that sleeps, or at once by a force or if
 *            there is no such task
 *   forced   cancelled by a force that has cut the work; the drain does the same when its time is up
 *   drain    one task of the runtime, begun by the first who asks; all get its report
 */
public final class Shutdown implements AutoCloseable {
  /** Long enough for what lies in the buffers of this machine, too short to be noticed. */
  static final Duration LINGER = Duration.ofMillis(100);

  /** How long the JVM waits for {@link #onSignals()} if it ends in another way. */
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(30);

  /** After the end of the linger a loop takes what is there, but not for ever: a full backlog. */
  private static final int LAST_TAKES = 4096;

  private final Spawner runtime;
  private final Duration linger;
  private final AtomicReference<@Nullable ShutdownReason> reason = new AtomicReference<>();
  private final Promise<ShutdownReason> triggered = Promise.create("shutdown");
  private final CancelToken token = CancelToken.create();
  private final CancelToken stop = CancelToken.create();
  private final CancelToken forced = CancelToken.create();
  private final Drain drain;

  private volatile boolean wasForced;
  private volatile @Nullable SignalListener listener;
  private volatile @Nullable ExitHook exitHook;
  private volatile @Nullable JoinHandle<?> lingering;

  Shutdown(Spawner runtime, Duration linger) {
    this.runtime = runtime;
    this.linger = linger;
    this.drain = new Drain(this, runtime);
  }

  /**
   * Triggered by {@link Signal#INT} and {@link Signal#TERM}, a second one of which forces, and by
   * the end of the JVM, which waits for it then for 30 seconds. Where signals cannot be listened to
   * ({@link Signals#isSupported()}) the JVM ends at them as usual, which triggers, too; but then
   * nothing forces.
   *
   * <p>While it is open the process does not end at these signals by itself, and after an orderly
   * end its exit status is that of the program, not that of a process that was killed.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static Shutdown onSignals() {
    return onSignals(Caller.spawner("a shutdown"));
  }

  /** The same for {@code runtime}, on any thread. */
  public static Shutdown onSignals(Spawner runtime) {
    ShutdownBuilder builder = builder().onJvmExit(EXIT_LIMIT);
    if (Signals.isSupported()) {
      builder.signals(Signal.INT, Signal.TERM);
    }
    return builder.open(runtime);
  }

  /**
   * Triggered by code alone: {@link #trigger} and {@link #drain}.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static Shutdown open() {
    return builder().open();
  }

  /** For other signals, another linger, or without the end of the JVM. */
  public static ShutdownBuilder builder() {
    return new ShutdownBuilder();
  }

  void listen(SignalListener signals) {
    listener = signals;
    new SignalPump(signals, this::signalled).wake();
  }

  void awaitExit(Duration limit) {
    exitHook = ExitHook.install(this, limit);
    if (exitHook == null) {
      trigger(new ShutdownReason.ByJvmExit());
    }
  }

  private void signalled(Signal signal) {
    if (!trigger(new ShutdownReason.BySignal(signal))) {
      force();
    }
  }

  // --- Triggering ---

  /**
   * Asks for the end. Does not wait.
   *
   * @return whether this call was the one that did
   */
  public boolean trigger() {
    return trigger("a call of trigger()");
  }

  /** The same with words of your own for the report. */
  public boolean trigger(String why) {
    return trigger(new ShutdownReason.ByCode(why));
  }

  boolean trigger(ShutdownReason why) {
    if (!reason.compareAndSet(null, why)) {
      return false;
    }
    try {
      triggered.complete(why);
      token.cancel();
    } finally {
      beginLinger();
    }
    return true;
  }

  private void beginLinger() {
    try {
      lingering = runtime.spawn(Task.sleep(linger).whenDone(stop::cancel));
    } catch (RejectedExecutionException closed) {
      stop.cancel();
    } catch (Throwable t) { // nobody would end it
      stop.cancel();
      throw t;
    }
  }

  /**
   * Cuts everything short: triggers if nobody has, ends the linger, and cancels who is still at
   * work. A drain under way, or begun later, waits only a moment for them. Does not wait.
   */
  public void force() {
    trigger("a call of force()");
    stop.cancel();
    wasForced = true;
    try {
      drain.cut();
    } finally {
      forced.cancel(); // last: the drain then finds who was left
    }
  }

  // --- Watching ---

  /** Whether nobody has asked for the end. */
  public boolean running() {
    return !token.isCancelled();
  }

  /** How far it has come. */
  public ShutdownPhase phase() {
    return drain.phase();
  }

  /** Ends with the reason once somebody asks for the end; any number may wait. */
  @CheckReturnValue
  public UncheckedFuture<ShutdownReason> triggered() {
    return triggered.future();
  }

  /** Cancelled at the trigger. */
  public CancelToken token() {
    return token;
  }

  /**
   * Runs {@code future} until the linger after the trigger is over; then it is dropped and a {@link
   * CancelledException} thrown. What is there at that moment is still taken, in as many operations
   * as it needs without a wait, and so it is by a wait that begins later: so a server that reads
   * its requests with this answers all that were sent before the trigger.
   */
  @CheckReturnValue
  public <T> Future<T> guard(Future<T> future) {
    return new StoppableFuture<>(stop, future)
        .map(end -> {
          if (end.value() == null) {
            throw new CancelledException("shut down: " + this);
          }
          return end.value();
        });
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> IoFuture<T> guard(IoFuture<T> future) {
    return Futures.io(guard((Future<T>) future));
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> UncheckedFuture<T> guard(UncheckedFuture<T> future) {
    return Futures.unchecked(guard((Future<T>) future));
  }

  /** What is done with each value of {@link #whileRunning}. */
  @FunctionalInterface
  public interface Each<T, X extends Exception> {
    /** Takes the value. */
    void accept(T value) throws X;
  }

  /**
   * Takes what the futures of {@code next} yield, one after the other, until the linger after the
   * trigger is over and nothing more is there. Waits for each as {@link #guard} does, and returns
   * normally at the end.
   *
   * @throws IOException what a future throws
   * @throws X what {@code each} throws
   */
  public <T, X extends Exception> void whileRunning(
      Supplier<? extends IoFuture<T>> next, Each<? super T, X> each) throws IOException, X {
    for (int late = 0; late < LAST_TAKES; ) {
      T value = Futures.io(new StoppableFuture<>(stop, next.get())).await().value();
      if (value == null) {
        return;
      }
      each.accept(value);
      late += stop.isCancelled() ? 1 : 0;
    }
  }

  // --- What is waited for ---

  /**
   * Has a drain wait for a task. One that is tracked after a drain has given up, or ended, is
   * cancelled at once.
   *
   * @return {@code task}
   */
  public <T> JoinHandle<T> track(JoinHandle<T> task) {
    TrackedTask.add(drain.work(), task, null);
    return task;
  }

  /**
   * Has a drain wait for the children of a scope; for scopes that last as long as the program. What
   * they throw together is in the report.
   *
   * @return {@code scope}
   */
  public TaskScope track(TaskScope scope) {
    drain.track(Objects.requireNonNull(scope, "scope"));
    return scope;
  }

  /**
   * Begins work that a drain waits for, until the guard is closed.
   *
   * @throws IllegalStateException if a drain has given up, or ended: it is too late to begin
   */
  public WorkGuard begin(String name) {
    return drain.begin(Objects.requireNonNull(name, "name"));
  }

  /**
   * Runs an action in a phase of the drain, in a direct task of the runtime. Those of one phase run
   * at the same time, those of a later one after them. What it throws is in the report.
   *
   * @param phase STOPPING, DRAINING or CLOSING
   * @throws IllegalStateException if the phase has begun
   */
  public void during(ShutdownPhase phase, String name, ThrowingRunnable action) {
    drain.during(phase, name, action);
  }

  // --- Ending ---

  /**
   * Triggers, if nobody has, goes through the phases and waits for what is pending, at most {@code
   * limit}; what is left then is cancelled, and given a second to end. If several drain, the first
   * decides on the limit, and all get the same report. A drop of the future stops no drain.
   *
   * @throws IllegalStateException in the future, if the task that waits is itself tracked
   * @throws CancelledException in the future, if the runtime closes meanwhile
   * @throws RejectedExecutionException in the future, if the runtime is closed
   */
  @CheckReturnValue
  public UncheckedFuture<ShutdownReport> drained(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    return Futures.unchecked(Futures.lazy(() -> begun(limit)).andThen(report -> report.future()));
  }

  private Promise<ShutdownReport> begun(Duration limit) {
    JoinCell<?> self = Caller.task();
    if (self != null && drain.work().contains(self)) {
      throw new IllegalStateException(
          self.name() + " drains, and is itself one that the drain waits for");
    }
    trigger("a call of drain()");
    return drain.begin(limit);
  }

  /**
   * Waits for {@link #drained} on the calling thread, which must not be a worker inside a poll. A
   * runtime that is stuck, so that no worker goes on with the drain, is told of in the report.
   */
  public ShutdownReport drain(Duration limit) {
    return drained(limit).await();
  }

  boolean hasGivenUp() {
    return drain.hasGivenUp();
  }

  CancelToken stopToken() {
    return stop;
  }

  boolean wasForced() {
    return wasForced;
  }

  CancelToken forcedToken() {
    return forced;
  }

  ShutdownReason reason() {
    return Objects.requireNonNull(reason.get(), "not triggered");
  }

  /**
   * Ends it: gives signals and the end of the JVM back, and triggers, for those who still watch.
   * Does not wait for anybody, and cancels nobody: that is what a drain is for. Closing again does
   * nothing.
   */
  @Override
  public void close() {
    try {
      trigger("close()");
      stop.cancel();
    } finally {
      drain.end();
      closeAll();
    }
  }

  private void closeAll() {
    JoinHandle<?> sleeper = lingering;
    if (sleeper != null) {
      sleeper.cancel();
    }
    try {
      SignalListener signals = listener;
      if (signals != null) {
        signals.close();
      }
    } finally {
      ExitHook hook = exitHook;
      if (hook != null) {
        hook.remove();
      }
    }
  }

  @Override
  public String toString() {
    return "Shutdown[" + phase() + "]";
  }

  /** Tests look at it. */
  List<String> pending() {
    return drain.work().describe();
  }
}
