package guest;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.task.Task;
import java.time.Duration;

/** Code of a user's, in a package of its own, that forgets an {@code await()}. */
@SuppressWarnings("CheckReturnValue")
public final class Forgetful {
  private Forgetful() {}

  /** Forgets to wait. */
  public static void sleep() {
    Task.sleep(Duration.ofHours(1));
  }

  /** Forgets to send. */
  public static void send(Channel<String> channel) {
    channel.send("lost").timeout(Duration.ofHours(1));
  }

  /** Does neither. */
  public static void careful(Channel<String> channel) {
    Task.sleep(Duration.ZERO).await();
    channel.send("sent").await();
    channel.send("given up").drop();
  }
}
