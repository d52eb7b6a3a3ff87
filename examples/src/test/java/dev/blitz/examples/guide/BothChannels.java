package dev.blitz.examples.guide;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import java.util.Optional;
import java.util.function.Consumer;

/** docs/guide/channels.md. */
final class BothChannels {
  private BothChannels() {}

  static void both(Channel<String> orders, Channel<Integer> prices, Consumer<Object> handle) {
    boolean first = true;
    boolean second = true;
    while (first || second) {
      switch (Select.first(
              first ? orders.next() : Futures.<Optional<String>>pending(),
              second ? prices.next() : Futures.<Optional<Integer>>pending())
          .await()) {
        case First(var order) -> {
          order.ifPresent(handle);
          first = order.isPresent();
        }
        case Second(var price) -> {
          price.ifPresent(handle);
          second = price.isPresent();
        }
      }
    }
  }
}
