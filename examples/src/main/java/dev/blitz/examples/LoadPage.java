package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.time.Duration;

/**
 * Loads the parts of a page at the same time: the first failure or the time-out ends them all.
 *
 * <p>Shows: scopes in direct style, join with a limit. Run: {@code ./blitz example LoadPage}.
 */
public final class LoadPage {
  private LoadPage() {}

  record Page(String user, String posts) {}

  /** Prints a page, and what becomes of one that takes too long. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      IO.println(load(1));
      try {
        load(2);
      } catch (TimedOutException e) {
        IO.println("user 2: " + e.getClass().getSimpleName());
      }
    });
  }

  static Page load(long id) throws Exception {
    try (var scope = TaskScope.open()) { // first failure cancels the siblings
      var user = scope.spawn(() -> fetchUser(id));
      var posts = scope.spawn(() -> fetchPosts(id));
      scope.join(
          Duration.ofMillis(200)); // TimedOutException cancels both and waits for them to end
      return new Page(user.get(), posts.get());
    }
  }

  private static String fetchUser(long id) {
    Task.sleep(Duration.ofMillis(10)).await();
    return "user " + id;
  }

  private static String fetchPosts(long id) {
    Task.sleep(id == 1 ? Duration.ofMillis(10) : Duration.ofHours(1)).await();
    return "posts of " + id;
  }
}
