package dev.blitz.io.shutdown;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Machine;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a drain made when the JVM ends, and the JVM wait for it, and then for the program to close
 * its coordinator: until that it may be busy with what comes after the drain.
 */
final class ExitHook {
  private final Shutdown shutdown;
  private final Duration limit;
  private final Thread opener = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = Machine.daemon("blitz-shutdown", this::run);

  /** Written by the drainer, read after its end. */
  private boolean drained;

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
    // On a thread of its own: the drain's limit is up to the runtime, which may have no worker
    // left.
    Thread drainer = Machine.daemon("blitz-shutdown-drain", this::drain);
    try {
      Machine.REAL.start(drainer);
      if (!hasEnded(drainer)) {
        FailureLog.tryLog(
            System.Logger.Level.WARNING,
            shutdown + " has not drained: its runtime seems to be stuck",
            null);
        return;
      }
      if (drained
          && !openerExits()
          && !closed.await(TimeUnit.MILLISECONDS.convert(limit), TimeUnit.MILLISECONDS)) {
        FailureLog.tryLog(System.Logger.Level.WARNING, shutdown + " was never closed", null);
      }
    } catch (InterruptedException e) {
      // Somebody is in a hurry: the JVM ends without it.
    }
  }

  /** The limit is for a drain that is under way; one that has not begun by then never will. */
  private boolean hasEnded(Thread drainer) throws InterruptedException {
    return drainer.join(limit.compareTo(Drain.GRACE) > 0 ? limit : Drain.GRACE)
        || (shutdown.isDraining() && drainer.join(Drain.GRACES));
  }

  private void drain() {
    try {
      ShutdownReport report = shutdown.drain(limit);
      if (!report.clean()) {
        FailureLog.tryLog(System.Logger.Level.WARNING, report.toString(), null);
      }
      drained = true;
    } catch (RuntimeException e) {
      // The runtime is closed, or is being closed: then its close has ended what was there.
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
