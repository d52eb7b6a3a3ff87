package dev.blitz.examples.guide;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.Future;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** docs/guide/direct-style.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class DirectStyle {
  record Page(String user, String posts) {}

  interface Connection {
    Future<Void> sayGoodbye();
  }

  abstract int slowSquare(int n);

  abstract byte[] sha256(byte[] bytes) throws Exception;

  abstract void work() throws IOException;

  abstract String fetchUser(long id) throws IOException;

  abstract String fetchPosts(long id) throws IOException;

  void main() throws Exception {
    Blitz.run(() -> {
      var a = Task.spawn(() -> slowSquare(6));
      var b = Task.spawn(() -> slowSquare(7));
      IO.println(a.await() + b.await());
    });
  }

  void blocking(Path path) throws Exception {
    byte[] bytes = Task.blockInPlace(() -> Files.readAllBytes(path));
    byte[] hash = Task.spawnBlocking(() -> sha256(bytes)).await();
  }

  void shield(Connection connection) throws Exception {
    try {
      work();
    } finally {
      Task.shielded(() -> connection.sayGoodbye().await());
    }
  }

  Page scope(long id) {
    try (var scope = TaskScope.open()) {
      var user = scope.spawn(() -> fetchUser(id));
      var posts = scope.spawn(() -> fetchPosts(id));
      scope.join(Duration.ofSeconds(2));
      return new Page(user.get(), posts.get());
    }
  }
}
