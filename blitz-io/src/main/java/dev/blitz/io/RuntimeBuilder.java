package dev.blitz.io;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.names.NameSettings;
import dev.blitz.io.internal.scheduler.SchedulerConfig;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.policy.NameLookup;
import dev.blitz.io.policy.SpawnHook;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.policy.UncaughtHandler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a {@link BlitzRuntime} with settings of your own. The defaults are right for a server. */
public final class RuntimeBuilder {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** The bitmap of parked workers has a bit for each. */
  private static final int MAX_WORKERS = 64;

  String name = "rt" + NUMBER.incrementAndGet();
  int workers = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_WORKERS);
  int blockingThreads = 512;
  Duration blockingKeepAlive = Duration.ofSeconds(10);
  Duration closeTimeout = Duration.ofSeconds(30);
  Duration stallThreshold = Duration.ofSeconds(1);
  TimeSource clock = TimeSource.system();
  long seed = Machine.REAL.nanoTime();
  private boolean seeded;
  SpinMode spin = SpinMode.AUTO;
  UncaughtHandler uncaught = UncaughtHandler.logging();
  FatalErrorPolicy fatalPolicy = FatalErrorPolicy.FAIL_TASK;
  Machine machine = Machine.REAL;
  Consumer<Thread> onThreadStart = t -> {};
  Consumer<Thread> onThreadStop = t -> {};
  @Nullable SpawnHook spawnHook;
  boolean development = Boolean.getBoolean("blitz.development");
  private NameLookup nameLookup = NameLookup.system();
  private Duration knownNames = Duration.ofSeconds(30);
  private Duration unknownNames = Duration.ofSeconds(10);
  @Nullable String backend;

  /** A backend that has no name here; for tests of one that this machine does not have. */
  @Nullable Backend ownBackend;

  /** Whether files are used by the means of the JDK alone; for tests of these. */
  boolean jdkFiles;

  RuntimeBuilder() {}

  /** Threads that poll tasks, 1 to 64; by default one per processor. */
  public RuntimeBuilder workers(int workers) {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + MAX_WORKERS + ", not " + workers);
    }
    this.workers = workers;
    return this;
  }

  /** Appears in thread names, logs and errors. */
  public RuntimeBuilder name(String name) {
    this.name = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * Most threads for blocking calls, and again as many for {@link
   * dev.blitz.io.task.Task#blockInPlace calls that block in place}; 512 by default. More calls than
   * that wait for their turn.
   */
  public RuntimeBuilder blockingThreads(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("blockingThreads must be at least 1, not " + max);
    }
    this.blockingThreads = max;
    return this;
  }

  /** How long an idle thread of the blocking pool stays; 10 seconds by default. */
  public RuntimeBuilder blockingKeepAlive(Duration keepAlive) {
    this.blockingKeepAlive = notNegative(keepAlive, "blockingKeepAlive");
    return this;
  }

  /** How long {@link BlitzRuntime#close()} waits for tasks and threads; 30 seconds by default. */
  public RuntimeBuilder closeTimeout(Duration timeout) {
    this.closeTimeout = notNegative(timeout, "closeTimeout");
    return this;
  }

  /** A poll that takes longer is logged with its stack; 1 second by default, zero for never. */
  public RuntimeBuilder stallThreshold(Duration threshold) {
    this.stallThreshold = notNegative(threshold, "stallThreshold");
    return this;
  }

  /** The clock that timers and deadlines live by. */
  public RuntimeBuilder clock(TimeSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Makes a run repeatable, for tests. With one worker it draws the order in which tasks are
   * polled: the same seed gives the same order, another seed another one, as far as nothing outside
   * the tasks has a part in it (other threads, sockets, the system's clock, direct tasks that the
   * JDK carries). With more workers it decides whom they steal from, and the order depends on the
   * threads too. The jitter of retries comes from it as well.
   */
  public RuntimeBuilder seed(long seed) {
    this.seed = seed;
    this.seeded = true;
    return this;
  }

  /** Whether workers spin before they sleep; automatic by default. */
  public RuntimeBuilder spin(SpinMode spin) {
    this.spin = Objects.requireNonNull(spin, "spin");
    return this;
  }

  /** Hears of failures that nobody else will see; by default they are logged. */
  public RuntimeBuilder uncaughtHandler(UncaughtHandler handler) {
    this.uncaught = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /** What happens on an Error of the virtual machine. */
  public RuntimeBuilder onFatalError(FatalErrorPolicy policy) {
    this.fatalPolicy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /** Called on each worker thread when it begins. */
  public RuntimeBuilder onThreadStart(Consumer<Thread> hook) {
    this.onThreadStart = Objects.requireNonNull(hook, "hook");
    return this;
  }

  /** Called on each worker thread when it ends. */
  public RuntimeBuilder onThreadStop(Consumer<Thread> hook) {
    this.onThreadStop = Objects.requireNonNull(hook, "hook");
    return this;
  }

  /** Carries context, such as a logging context, from those who spawn tasks to the tasks. */
  public RuntimeBuilder spawnHook(SpawnHook hook) {
    this.spawnHook = Objects.requireNonNull(hook, "hook");
    return this;
  }

  /** Who finds the addresses of host names; the system by default. */
  public RuntimeBuilder nameLookup(NameLookup lookup) {
    this.nameLookup = Objects.requireNonNull(lookup, "lookup");
    return this;
  }

  /**
   * How long the addresses of a host name are kept, and for how long it is kept that there are
   * none; 30 and 10 seconds by default, zero for not at all. The JDK may keep them too.
   */
  public RuntimeBuilder nameCache(Duration known, Duration unknown) {
    this.knownNames = notNegative(known, "known");
    this.unknownNames = notNegative(unknown, "unknown");
    return this;
  }

  /**
   * Finds what compiles and does nothing: a future that is made inside this runtime and never
   * polled, since an {@code await()} is missing, is told to the uncaught handler, once for each
   * line that makes such; when it has become unreachable, at the latest when the runtime closes.
   * Costs a look at the stack for each future. By default as the system property {@code
   * blitz.development} says, else off.
   */
  public RuntimeBuilder development(boolean on) {
    this.development = on;
    return this;
  }

  /**
   * The I/O backend to use, such as {@code epoll}, in place of the best one there is. If it is not
   * available {@link #build} throws {@link UnsupportedOperationException} with the reason.
   */
  public RuntimeBuilder backend(String name) {
    this.backend = Objects.requireNonNull(name, "name");
    return this;
  }

  /** For tests: starts threads, or fails to. */
  RuntimeBuilder threadStarter(Consumer<Thread> starter) {
    this.machine = Machine.startingBy(starter);
    return this;
  }

  /** The runtime. It starts no thread before the first task. */
  public BlitzRuntime build() {
    return new BlitzRuntime(this);
  }

  SchedulerConfig schedulerConfig() {
    return new SchedulerConfig(
        name,
        workers,
        blockingThreads,
        spin,
        seed,
        seeded && workers == 1,
        stallNanos(),
        clock,
        uncaught,
        fatalPolicy,
        machine,
        onThreadStart,
        onThreadStop);
  }

  NameSettings nameSettings() {
    return new NameSettings(nameLookup, knownNames, unknownNames);
  }

  private long stallNanos() {
    boolean never =
        stallThreshold.isZero() || stallThreshold.compareTo(Duration.ofDays(36_500)) > 0;
    return never ? Long.MAX_VALUE : stallThreshold.toNanos();
  }

  private static Duration notNegative(Duration d, String what) {
    Objects.requireNonNull(d, what);
    if (d.isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative: " + d);
    }
    return d;
  }
}
