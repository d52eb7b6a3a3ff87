package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A call as JDBC's, which no interrupt reaches, is cancelled when its time is up: by the
 * statement's own cancel.
 *
 * <p>Shows: spawnBlocking with a cancel action, a time-out that cancels. Run: {@code ./blitz
 * example Query}.
 */
public final class Query {
  private Query() {}

  /** Asks twice: the second answer takes too long. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      IO.println(ask(new Statement(), "select 1"));
      var slow = new Statement();
      try {
        IO.println(ask(slow, "select everything"));
      } catch (TimedOutException e) {
        Task.blockInPlace(() -> slow.ended.await());
        IO.println("too slow: the server has stopped working on it");
      }
    });
  }

  static String ask(Statement statement, String sql) {
    return Task.spawnBlocking(
            SpawnOptions.onCancel(statement::cancel), () -> statement.execute(sql))
        .timeout(Duration.ofMillis(sql.length() < 10 ? 60_000 : 20))
        .await();
  }

  /** Stands for a driver's: its execute does not care for interrupts. */
  static final class Statement {
    private final CountDownLatch cancelled = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);

    String execute(String sql) throws SQLException {
      if (sql.length() < 10) {
        return "1 row";
      }
      while (true) {
        try {
          cancelled.await();
          throw new SQLException("canceling statement due to user request");
        } catch (InterruptedException e) {
          // as many drivers do
        } finally {
          ended.countDown();
        }
      }
    }

    void cancel() {
      cancelled.countDown();
    }
  }
}
