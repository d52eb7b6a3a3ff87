package dev.blitz.io.internal.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Makes the JDK start its pollers, which wait for sockets on behalf of virtual threads. They are
 * virtual threads themselves and take the scheduler of whoever waits for a socket first: if that
 * were a task of ours, all socket I/O of virtual threads in this JVM would end with its runtime.
 */
/* Implementation notes
 *
 * Not in a class initialiser: one that failed, because no thread could be started just then, would fail every direct task for
 * the rest of the JVM's life. `started` is written once, under the monitor, and read by all.
 */
final class Pollers {
  /** How long the JDK may take to park a thread in a read before we go on without it. */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private final Consumer<Thread> starter;
  private volatile boolean started;

  /** {@code starter} starts a thread; tests put one in place that fails. */
  Pollers(Consumer<Thread> starter) {
    this.starter = starter;
  }

  /**
   * Waits until the pollers are there; for platform threads. If no thread can be had the caller
   * goes on without, and the next one tries again.
   */
  void ensureStarted() {
    if (!started) {
      startOnce();
    }
  }

  boolean isStarted() {
    return started;
  }

  private synchronized void startOnce() {
    if (started) {
      return;
    }
    // On a platform thread of its own: what it starts has the JDK's scheduler, whoever we are.
    var thread = new Thread(null, Pollers::readOne, "blitz-poller-start", 0, false);
    thread.setDaemon(true);
    try {
      starter.accept(thread);
    } catch (Throwable failure) {
      System.getLogger("dev.blitz.io")
          .log(System.Logger.Level.DEBUG, "cannot start the JDK's pollers now", failure);
      return;
    }
    ThreadJoin.until(thread, () -> System.nanoTime() + Long.MAX_VALUE / 4);
    started = true;
  }

  private static void readOne() {
    try {
      var pipe = Pipe.open();
      try (var source = pipe.source();
          var sink = pipe.sink()) {
        Thread reader = Thread.ofVirtual().start(() -> read(source));
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (reader.getState() != Thread.State.WAITING && System.nanoTime() - end < 0) {
          LockSupport.parkNanos(50_000);
        }
        sink.write(ByteBuffer.wrap(new byte[1]));
        reader.join();
      }
    } catch (IOException | InterruptedException e) {
      System.getLogger("dev.blitz.io")
          .log(System.Logger.Level.DEBUG, "cannot start the JDK's pollers early", e);
    }
  }

  private static void read(Pipe.SourceChannel source) {
    try {
      source.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
