package dev.blitz.examples;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Receiver;
import dev.blitz.io.channel.Sender;
import dev.blitz.io.task.TaskScope;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three producers, two slower consumers, and room for eight between them: the producers wait while
 * it is full, and the consumers end when the last producer has.
 *
 * <p>Shows: back-pressure, counted senders and receivers. Run: {@code ./blitz example
 * ProducerConsumer}.
 */
public final class ProducerConsumer {
  private static final int ROOM = 8;
  private static final int EACH = 100;

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger used = new AtomicInteger();
  private final AtomicInteger mostAhead = new AtomicInteger();
  private final AtomicLong sum = new AtomicLong();

  private ProducerConsumer() {}

  /** Prints what went through, and how far ahead the producers were at most. */
  public static void main(String[] args) throws Exception {
    var all = new ProducerConsumer();
    Blitz.run(() -> {
      Channel<Integer> channel = Channel.bounded(ROOM);
      try (var scope = TaskScope.open()) {
        // The handles are made before the tasks: the channel closes with the last of each side.
        for (int i = 0; i < 3; i++) {
          var sender = channel.sender();
          scope.spawn(owning(sender), () -> all.produce(sender));
        }
        for (int i = 0; i < 2; i++) {
          var receiver = channel.receiver();
          scope.spawn(owning(receiver), () -> all.consume(receiver));
        }
        scope.join();
      }
    });
    IO.println(all.used + " items, sum " + all.sum);
    IO.println("never more than 13 ahead: " + (all.mostAhead.get() <= ROOM + 3 + 2));
  }

  private boolean produce(Sender<Integer> to) {
    for (int i = 1; i <= EACH; i++) {
      to.send(i).await(); // waits while there is no room
      int ahead = made.incrementAndGet() - used.get();
      mostAhead.accumulateAndGet(ahead, Math::max);
    }
    return true;
  }

  private boolean consume(Receiver<Integer> from) {
    for (int item : from) { // ends when all senders are closed and nothing is left
      sum.addAndGet(item);
      used.incrementAndGet();
    }
    return true;
  }
}
