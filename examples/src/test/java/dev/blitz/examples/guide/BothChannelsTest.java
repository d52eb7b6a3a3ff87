package dev.blitz.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Strict
class BothChannelsTest {

  @Test
  void both_areEmptied_whicheverEndsFirst() throws Exception {
    Blitz.run(() -> {
      Channel<String> orders = Channel.bounded(1);
      Channel<Integer> prices = Channel.bounded(1);
      List<Object> handled = new ArrayList<>();
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> {
          orders.send("a").await();
          orders.close();
          for (int i = 1; i <= 100; i++) {
            prices.send(i).await();
          }
          prices.close();
        });
        BothChannels.both(orders, prices, handled::add);
        scope.join();
      }
      assertThat(handled).hasSize(101).contains("a", 1, 100);
    });
  }
}
