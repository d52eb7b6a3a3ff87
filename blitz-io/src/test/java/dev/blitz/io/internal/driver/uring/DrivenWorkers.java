package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

/** Threads that drive workers as a scheduler does: run what they are given, deliver, park. */
final class DrivenWorkers implements DriverHost, AutoCloseable {
  private final Driver driver;
  private final List<Queue<Runnable>> jobs = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ThreadLocal<Integer> worker = ThreadLocal.withInitial(() -> -1);
  private final AtomicReferenceArray<Thread> drivers;
  private final AtomicIntegerArray parks;
  final AtomicInteger calls = new AtomicInteger();

  /** Which calls of a worker, by their number from 1, find none and no thread for one. */
  volatile IntPredicate refuses = call -> false;

  private volatile boolean stopping;

  DrivenWorkers(Driver driver, int workers) {
    this.driver = driver;
    parks = new AtomicIntegerArray(workers);
    drivers = new AtomicReferenceArray<>(workers);
    for (int i = 0; i < workers; i++) {
      jobs.add(new ConcurrentLinkedQueue<>());
    }
    driver.start(this);
  }

  /** Starts a thread for worker {@code index}; the one before it has ended or is inside a job. */
  Thread drive(int index) {
    Thread thread = Thread.ofPlatform().name("worker-" + index).unstarted(() -> run(index));
    drivers.set(index, thread);
    threads.add(thread);
    thread.start();
    return thread;
  }

  private void run(int index) {
    worker.set(index);
    driver.attach(index);
    while (!stopping && drivers.get(index) == Thread.currentThread()) {
      Runnable job = jobs.get(index).poll();
      if (job == LEAVE) {
        return;
      } else if (job != null) {
        job.run();
      } else {
        parks.incrementAndGet(index);
        if (driver.park(index, Long.MAX_VALUE)) {
          driver.deliver(index);
        }
      }
    }
  }

  /** Told apart by its identity. */
  @SuppressWarnings("UnnecessaryLambda")
  private static final Runnable LEAVE = () -> {};

  /** Runs something on worker {@code index}. */
  void run(int index, Runnable job) {
    jobs.get(index).add(job);
    driver.unpark(index);
  }

  /** Ends the thread of worker {@code index}. */
  void leave(int index) {
    run(index, LEAVE);
  }

  int parks(int index) {
    return parks.get(index);
  }

  @Override
  public int currentWorker() {
    return worker.get();
  }

  @Override
  public void callWorker() {
    if (refuses.test(calls.incrementAndGet())) {
      throw new RejectedExecutionException("no thread");
    }
    for (int i = 0; i < jobs.size(); i++) {
      driver.unpark(i);
    }
  }

  @Override
  public void close() {
    stopping = true;
    for (int i = 0; i < jobs.size(); i++) {
      driver.unpark(i);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while a worker ends", e);
      }
    }
    driver.close();
  }
}
