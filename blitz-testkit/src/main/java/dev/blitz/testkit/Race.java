package dev.blitz.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs something on several platform threads that start together, and sees every one of them to its
 * end.
 *
 * <p>No thread outlives the call unless it ignores interrupts. What a racer did happens before the
 * call returns.
 */
public final class Race {

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  private Race() {}

  /** What one thread does. */
  @FunctionalInterface
  public interface Racer {
    /**
     * Runs on a thread of its own.
     *
     * @param index which racer this is, from 0
     * @throws Exception to fail the race
     */
    void run(int index) throws Exception;
  }

  /**
   * Runs one body on several threads, for up to {@link Timeouts#LONG}.
   *
   * @param racers how many threads
   * @param body what each of them does
   * @throws Exception what the first failing racer threw, with the failures of others as
   *     suppressed; an {@link AssertionError} with their stacks if some do not end in time
   */
  public static void run(int racers, Racer body) throws Exception {
    if (racers < 1) {
      throw new IllegalArgumentException("a race needs at least one racer: " + racers);
    }
    new Race().race(racers, body, Timeouts.LONG);
  }

  /**
   * Runs different bodies, each on its own thread, for up to {@link Timeouts#LONG}.
   *
   * @param bodies what the threads do
   * @throws Exception as for {@link #run(int, Racer)}
   */
  public static void run(Racer... bodies) throws Exception {
    run(bodies.length, index -> bodies[index].run(index));
  }

  static void run(int racers, Racer body, Duration bound) throws Exception {
    new Race().race(racers, body, bound);
  }

  private void race(int racers, Racer body, Duration bound) throws Exception {
    var start = new CyclicBarrier(racers);
    for (int i = 0; i < racers; i++) {
      int index = i;
      threads.add(
          Thread.ofPlatform().name("racer-" + index).start(() -> runOne(start, body, index)));
    }
    try {
      if (!joinAll(bound)) {
        failures.add(new AssertionError("racers still running after " + bound + stacks()));
        interruptAll();
      }
    } catch (InterruptedException e) {
      failures.add(e);
      interruptAll();
      Thread.currentThread().interrupt();
    }
    throwFirst();
  }

  private void runOne(CyclicBarrier start, Racer body, int index) {
    try {
      start.await(Timeouts.MEDIUM.toNanos(), TimeUnit.NANOSECONDS);
      body.run(index);
    } catch (BrokenBarrierException | TimeoutException e) {
      failures.add(new AssertionError("racer " + index + " could not start", e));
    } catch (Throwable t) {
      failures.add(t);
    }
  }

  private boolean joinAll(Duration bound) throws InterruptedException {
    long start = System.nanoTime();
    boolean all = true;
    for (Thread thread : threads) {
      long left = bound.toNanos() - (System.nanoTime() - start);
      all &= thread.join(Duration.ofNanos(Math.max(left, 1)));
    }
    return all;
  }

  private void interruptAll() {
    threads.forEach(Thread::interrupt);
    try {
      if (!joinAll(Timeouts.SHORT)) {
        failures.add(new AssertionError("racers ignore their interrupt" + stacks()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String stacks() {
    var text = new StringBuilder();
    for (Thread thread : threads) {
      if (thread.isAlive()) {
        text.append("\n  ").append(thread.getName()).append(' ').append(thread.getState());
        for (StackTraceElement frame : thread.getStackTrace()) {
          text.append("\n      at ").append(frame);
        }
      }
    }
    return text.toString();
  }

  private void throwFirst() throws Exception {
    @Nullable Throwable first = failures.poll();
    if (first == null) {
      return;
    }
    for (Throwable other : failures) {
      if (!other.equals(
          first)) { // a shared instance would be refused as its own suppressed exception
        first.addSuppressed(other);
      }
    }
    switch (first) {
      case Error error -> throw error;
      case Exception exception -> throw exception;
      default -> throw new AssertionError(first);
    }
  }
}
