package dev.blitz.examples.guide;

import dev.blitz.io.future.Future;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.parallel.Parallel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** docs/guide/blocking.md. */
abstract class Blocking {
  private final Semaphore connections = Semaphore.create(20);

  /** Stands for java.sql's. */
  interface Statement {
    boolean execute(String sql) throws SQLException;

    void cancel() throws SQLException;
  }

  abstract byte[] sha256(byte[] bytes) throws Exception;

  abstract String query(long id) throws SQLException;

  abstract boolean isPrime(int n);

  byte[] both(Path path) throws IOException {
    byte[] bytes = Task.blockInPlace(() -> Files.readAllBytes(path));
    byte[] hash = Task.spawnBlocking(() -> sha256(bytes)).await();
    return hash;
  }

  boolean cancellable(Statement statement) {
    try (var scope = TaskScope.open()) {
      var rows =
          scope.spawnBlocking(
              SpawnOptions.onCancel(statement::cancel), () -> statement.execute("select 1"));
      scope.join(Duration.ofSeconds(5));
      return rows.get();
    }
  }

  @SuppressWarnings("try") // a permit need not be used
  String limited(long id) {
    try (var place = connections.acquire().await()) {
      return Task.spawnBlocking(() -> query(id)).await();
    }
  }

  long computed(long[] data) throws Exception {
    long primes = Parallel.range(2, 100_000).filter(n -> isPrime(n)).count();
    Future<Long> later = Task.spawnBlocking(() -> Parallel.iter(data).sum());
    return primes + later.await();
  }
}
