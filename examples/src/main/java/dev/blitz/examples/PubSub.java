package dev.blitz.examples;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.BroadcastReceiver;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Topics, to which any number publish and subscribe. A subscriber that is too slow misses messages
 * and learns how many; it slows nobody down.
 *
 * <p>Shows: Broadcast, receivers as loops, owning. Run: {@code ./blitz example PubSub}.
 */
public final class PubSub {
  private static final int MEMORY = 16;

  private final Map<String, Broadcast<String>> topics = new ConcurrentHashMap<>();

  private Broadcast<String> topic(String name) {
    return topics.computeIfAbsent(name, n -> Broadcast.create(MEMORY));
  }

  /** To how many it goes. */
  int publish(String topic, String message) {
    return topic(topic).send(message);
  }

  BroadcastReceiver<String> subscribe(String topic) {
    return topic(topic).subscribe();
  }

  /** Nothing more is published. */
  void end() {
    topics.values().forEach(Broadcast::close); // subscribers receive what there is, and end
  }

  /** Two subscribers of one topic, one of another, and one that does not listen. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      var bus = new PubSub();
      try (var readers = TaskScope.open()) {
        List<JoinHandle<String>> heard = new ArrayList<>();
        for (String topic : List.of("news", "news", "weather")) {
          var messages = bus.subscribe(topic); // from here on nothing is missed
          heard.add(readers.spawn(owning(messages), () -> topic + ": " + listen(messages)));
        }
        var sleeper = bus.subscribe("news").skippingMissed();
        IO.println("news go to " + bus.publish("news", "it works"));
        bus.publish("weather", "sunny");
        for (int i = 0; i < 20; i++) {
          bus.publish("sport", "goal " + i); // nobody listens: not kept
        }
        bus.end();
        readers.join();
        heard.forEach(h -> IO.println(h.get()));
        IO.println("late: " + listen(sleeper));
      }
    });
  }

  private static List<String> listen(BroadcastReceiver<String> messages) {
    List<String> heard = new ArrayList<>();
    for (String message : messages) {
      heard.add(message);
    }
    return heard;
  }
}
