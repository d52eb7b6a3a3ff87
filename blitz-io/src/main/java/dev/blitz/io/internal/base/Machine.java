package dev.blitz.io.internal.base;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What a runtime takes from the machine it runs on: real time, which goes on while a manual clock
 * stands, and threads. Passed in wherever they are needed, so that something else can take its
 * place.
 *
 * @param time nanoseconds since some moment
 * @param starter starts a new thread, or throws
 */
public record Machine(LongSupplier time, Consumer<Thread> starter) {
  /** The one we run on. */
  public static final Machine REAL = startingBy(Thread::start);

  /** The one we run on, with other threads. */
  public static Machine startingBy(Consumer<Thread> starter) {
    return new Machine(System::nanoTime, starter);
  }

  /** Real time, in nanoseconds since some moment. */
  public long nanoTime() {
    return time.getAsLong();
  }

  /** Starts a thread, or throws. */
  public void start(Thread thread) {
    starter.accept(thread);
  }

  /** A thread, not started yet, that keeps no JVM alive and inherits nothing. */
  public static Thread daemon(String name, Runnable body) {
    var thread = new Thread(null, body, name, 0, false);
    thread.setDaemon(true);
    return thread;
  }
}
