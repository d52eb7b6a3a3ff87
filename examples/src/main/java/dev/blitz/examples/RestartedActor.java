package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.TaskScope;
import java.time.Duration;

/**
 * An actor: one task that owns its state and answers messages. One that fails is started again with
 * an empty state, and goes on with the messages that are left.
 *
 * <p>Shows: Channel, Oneshot, supervise with restart. Run: {@code ./blitz example RestartedActor}.
 */
public final class RestartedActor {
  private RestartedActor() {}

  private sealed interface Message {}

  private record Add(int number) implements Message {}

  private record Ask(Oneshot<Integer> answer) implements Message {}

  /** Adds, fails, adds again and asks. */
  public static void main(String[] args) throws Exception {
    var patience = Backoff.exponential(Duration.ofMillis(1)).limit(3, Duration.ofMinutes(1));
    Blitz.run(() -> {
      var inbox = Channel.<Message>bounded(16);
      try (var actors =
          TaskScope.open(
              supervise((who, e) -> IO.println(who + " failed: " + e.getMessage()), patience))) {
        actors.spawn(SpawnOptions.named("counter"), () -> count(inbox));
        inbox.send(new Add(40)).await();
        IO.println("sum " + ask(inbox));
        inbox.send(new Add(-1)).await(); // this one it does not survive
        inbox.send(new Add(2)).await();
        IO.println("sum " + ask(inbox));
        inbox.close();
        actors.drain(Duration.ofSeconds(1));
      }
    });
  }

  private static void count(Channel<Message> inbox) {
    int sum = 0;
    for (var message : inbox.receiver()) {
      switch (message) {
        case Add(int number) when number < 0 -> throw new IllegalArgumentException("negative");
        case Add(int number) -> sum += number;
        case Ask(var answer) -> answer.send(sum);
      }
    }
  }

  private static int ask(Channel<Message> inbox) {
    var answer = Oneshot.<Integer>create();
    inbox.send(new Ask(answer)).await();
    return answer.receive().await();
  }
}
