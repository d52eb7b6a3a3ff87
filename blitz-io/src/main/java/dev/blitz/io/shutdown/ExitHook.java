package dev.blitz.io.shutdown;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Machine;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a drain made when the JVM ends, and the JVM wait for it, and then for the program to close
 * its coordinator: until that it may be busy with what comes after the drain.
 */
final class ExitHook {
  /** What a drain of ours may take beyond its limit; then, its watch has told of it. */
  private static final Duration BEYOND = Drain.GRACES.plus(Drain.GRACE).plus(Drain.GRACE);

  private final Shutdown shutdown;
  private final Duration limit;
  private final Thread opener = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = Machine.daemon("blitz-shutdown", this::run);

  private ExitHook(Shutdown shutdown, Duration limit) {
    this.shutdown = shutdown;
    this.limit = limit;
  }

  /** Null if the JVM is ending already. */
  static @Nullable ExitHook install(Shutdown shutdown, Duration limit) {
    var hook = new ExitHook(shutdown, limit);
    try {
      Runtime.getRuntime().addShutdownHook(hook.thread);
      return hook;
    } catch (IllegalStateException ending) {
      return null;
    }
  }

  void remove() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException ending) {
      // It runs, or has run.
    }
  }

  /** Called by the JVM, once it ends. */
  private void run() {
    shutdown.trigger(new ShutdownReason.ByJvmExit());
    try {
      ShutdownReport report = drain();
      if (report == null) {
        FailureLog.tryLog(
            System.Logger.Level.WARNING,
            shutdown + " has not drained while the end of the JVM waited for it",
            null);
        return;
      }
      if (!report.clean()) {
        FailureLog.tryLog(System.Logger.Level.WARNING, report.toString(), null);
      }
      if (!shutdown.hasGivenUp()
          && !openerExits()
          && !closed.await(TimeUnit.MILLISECONDS.convert(limit), TimeUnit.MILLISECONDS)) {
        FailureLog.tryLog(System.Logger.Level.WARNING, shutdown + " was never closed", null);
      }
    } catch (InterruptedException e) {
      // Somebody is in a hurry: the JVM ends without it.
    } catch (RuntimeException e) {
      // The runtime is closed, or is being closed: then its close has ended what was there.
    }
  }

  /**
   * Null if it takes longer than it may: somebody else has begun the drain, with a longer limit, or
   * there was no thread to watch it.
   */
  private @Nullable ShutdownReport drain() throws InterruptedException {
    var wakes = new Semaphore(0);
    Context cx = Context.of(wakes::release);
    UncheckedFuture<ShutdownReport> drained = shutdown.drained(limit);
    long most = Math.min(TimeUnit.NANOSECONDS.convert(limit), Long.MAX_VALUE / 2);
    long deadline = Machine.REAL.nanoTime() + most + BEYOND.toNanos();
    for (; ; ) {
      ShutdownReport report = drained.poll(cx);
      if (report != null) {
        return report;
      }
      if (!wakes.tryAcquire(deadline - Machine.REAL.nanoTime(), TimeUnit.NANOSECONDS)) {
        drained.drop();
        return null;
      }
    }
  }

  /** Whether it is the opener who waits for the JVM's end: then it will never close. */
  private boolean openerExits() {
    for (StackTraceElement frame : opener.getStackTrace()) {
      if (frame.getClassName().equals("java.lang.Runtime")
          && frame.getMethodName().equals("exit")) {
        return true;
      }
    }
    return false;
  }
}
