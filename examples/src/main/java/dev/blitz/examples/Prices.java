package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Future;
import dev.blitz.io.stream.UncheckedSource;
import dev.blitz.io.task.Task;
import java.time.Duration;

/**
 * Prices come in through a channel; each is enriched by a request of its own, four at a time, and
 * those that are valid are shown in order.
 *
 * <p>Shows: a source made of a receiver, mapAsync, a loop over it. Run: {@code ./blitz example
 * Prices}.
 */
public final class Prices {
  private static final int COUNT = 12;

  private Prices() {}

  private record Price(int item, int cents) {
    boolean valid() {
      return cents > 0;
    }
  }

  /** Prints the valid prices. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      Channel<Integer> items = Channel.bounded(4);
      Task.spawn(
              () -> {
                for (int item = 0; item < COUNT; item++) {
                  items.send(item).await(); // waits while the requests are behind
                }
                items.close();
              })
          .detach();
      try (UncheckedSource<Price> prices =
          items
              .receiver()
              .throttle(Duration.ofMillis(1))
              .mapAsync(4, Prices::enrich)
              .filter(Price::valid)) {
        for (Price price : prices) {
          IO.println("item " + price.item() + " is " + price.cents() + " cents");
        }
      }
    });
  }

  /** Stands for a request over the network; the later ones are the faster ones. */
  private static Future<Price> enrich(int item) {
    return Task.sleep(Duration.ofMillis(COUNT - item))
        .map(done -> new Price(item, item % 3 == 0 ? 0 : 10 * item));
  }
}
