package dev.blitz.benchmarks;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: does the compare harness agree with JMH on the cost of an uncontended offer and poll?
 * Baseline: the same queues in the {@code harness} group. An order of the three that differs
 * between the two tools would make us distrust the harness.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueOfferPollBenchmark {
  private static final Object ITEM = new Object();

  private final Queue<Object> deque = new ArrayDeque<>(64);
  private final Queue<Object> blocking = new ArrayBlockingQueue<>(64);
  private final Queue<Object> linked = new ConcurrentLinkedQueue<>();

  /** Not thread safe: the lower bound. */
  @Benchmark
  public @Nullable Object arrayDeque() {
    deque.offer(ITEM);
    return deque.poll();
  }

  /** One lock, no allocation. */
  @Benchmark
  public @Nullable Object arrayBlockingQueue() {
    blocking.offer(ITEM);
    return blocking.poll();
  }

  /** No lock, one node per offer. */
  @Benchmark
  public @Nullable Object concurrentLinkedQueue() {
    linked.offer(ITEM);
    return linked.poll();
  }
}
