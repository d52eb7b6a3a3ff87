package dev.blitz.benchmarks;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.LiveHeap;
import dev.blitz.benchmarks.harness.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * Question: can the harness be trusted? Subject and peers are JDK structures whose order is known
 * beforehand, and one is compared with itself: that ratio is the noise of the machine. A ratio far
 * from 1 there, or a known order turned round, would make us distrust every other group.
 */
final class HarnessGroup {
  private static final int OPERATIONS = 1_000;
  private static final int CAPACITY = 64;
  private static final int SMALL = 127;
  private static final int ELEMENTS = 1_000_000;

  private HarnessGroup() {}

  static Group group() {
    return Group.of(
        "harness",
        "Can the harness be trusted? JDK structures of known order, and one against itself: the"
            + " distance of that ratio from 1 is the noise of the machine.",
        againstItself(),
        offerAndPoll(),
        bytesPerElement());
  }

  private static Workload againstItself() {
    return Workload.named("offer+poll against itself")
        .operations(OPERATIONS)
        .subject(Contender.timed("ArrayBlockingQueue", HarnessGroup::arrayBlockingQueue))
        .peer(Contender.timed("the same", HarnessGroup::arrayBlockingQueue), 1.0)
        .reportOnly()
        .build();
  }

  private static Workload offerAndPoll() {
    return Workload.named("offer+poll, one thread")
        .operations(OPERATIONS)
        .subject(Contender.timed("ArrayDeque", HarnessGroup::arrayDeque))
        .peer(Contender.timed("ArrayBlockingQueue", HarnessGroup::arrayBlockingQueue), 2)
        .peer(Contender.timed("ConcurrentLinkedQueue", HarnessGroup::concurrentLinkedQueue), 2)
        .peer(Contender.timed("Kotlin channel", HarnessGroup::kotlinChannel), 2)
        .zeroBytes()
        .build();
  }

  /** An array of references against a node for each: 4 and 24 bytes with compressed oops. */
  private static Workload bytesPerElement() {
    return Workload.named("memory of 1 M elements")
        .unit("bytes/element")
        .subject(bytesPerElement("ArrayList", ArrayList::new))
        .peer(bytesPerElement("ConcurrentLinkedQueue", ConcurrentLinkedQueue::new), 2)
        .atMost(8.5)
        .build();
  }

  // The same loop three times: shared, it would measure an interface call (see Fixture). Small
  // Integers are cached, so boxing adds no bytes.

  private static Fixture arrayDeque() {
    var queue = new ArrayDeque<Integer>(CAPACITY);
    return () -> {
      long sum = 0;
      for (int i = 0; i < OPERATIONS; i++) {
        queue.offer(i & SMALL);
        sum += queue.remove();
      }
      return sum;
    };
  }

  private static Fixture arrayBlockingQueue() {
    var queue = new ArrayBlockingQueue<Integer>(CAPACITY);
    return () -> {
      long sum = 0;
      for (int i = 0; i < OPERATIONS; i++) {
        queue.offer(i & SMALL);
        sum += queue.remove();
      }
      return sum;
    };
  }

  private static Fixture concurrentLinkedQueue() {
    var queue = new ConcurrentLinkedQueue<Integer>();
    return () -> {
      long sum = 0;
      for (int i = 0; i < OPERATIONS; i++) {
        queue.offer(i & SMALL);
        sum += queue.remove();
      }
      return sum;
    };
  }

  /** Two coroutines on one thread: the order of send and receive is the channel's business. */
  private static Fixture kotlinChannel() {
    return () -> KotlinChannels.pump(CAPACITY, OPERATIONS);
  }

  private static Contender bytesPerElement(String name, UnaryOperator<Collection<Integer>> copy) {
    var elements = Collections.nCopies(ELEMENTS, 1);
    return Contender.measured(
        name, () -> (double) LiveHeap.bytesOf(() -> copy.apply(elements)) / ELEMENTS);
  }
}
