package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/**
 * A log whose handler throws an error at every line: what is to be logged is lost, and nothing
 * else. In a new JVM, where the pollers cannot be started and no native call is allowed.
 */
@Strict
class BrokenLogTest {

  @Test
  void whatCannotBeLogged_changesNothing() throws Exception {
    var result = ChildJvm.run(Program.class, "-Djdk.readPollers=3", "--illegal-native-access=deny");
    assertThat(result.output())
        .contains(
            "direct 1",
            "direct 2",
            "backend nio",
            "in place 7",
            "after a failure that nobody joins 3",
            "closed, with something left",
            "lines that were lost: true");
    assertThat(result.exit()).as(result.output()).isZero();
  }

  static final class Program {
    private static final Logger LOGGER = Logger.getLogger("dev.blitz.io"); // held weakly elsewhere
    private static final AtomicInteger LINES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
      LOGGER.setLevel(Level.ALL);
      LOGGER.setUseParentHandlers(false);
      LOGGER.addHandler(new Broken());
      var rt =
          BlitzRuntime.builder()
              .workers(2)
              .blockingThreads(1)
              .closeTimeout(Duration.ofMillis(30))
              .build();
      System.out.println("direct " + rt.run(() -> 1));
      System.out.println("direct " + rt.run(() -> 2)); // not only the first may fail
      System.out.println("backend " + rt.backend().name());
      System.out.println("in place " + atTheLimit(rt));
      System.out.println("after a failure that nobody joins " + afterAFailure(rt));
      var stuck = new CountDownLatch(1);
      var inside = new CountDownLatch(1);
      rt.spawn(
              Futures.lazy(() -> {
                inside.countDown();
                stuck.await();
                return 1;
              }))
          .detach();
      inside.await();
      rt.close();
      System.out.println("closed, with something left");
      stuck.countDown();
      System.out.println("lines that were lost: " + (LINES.get() > 0));
      System.exit(0);
    }

    /** Nor can what cannot be told be logged: the worker's thread goes on. */
    private static int afterAFailure(BlitzRuntime rt) throws Exception {
      int before = LINES.get();
      rt.executor()
          .execute(() -> {
            throw new IllegalStateException("of a command");
          });
      while (LINES.get() < before + 2) { // with the failure, and without it
        Thread.onSpinWait();
      }
      FailureLog.log("this test", new IllegalStateException("told on this thread"));
      return rt.run(Futures.lazy(() -> 3));
    }

    private static int atTheLimit(BlitzRuntime rt) throws Exception {
      var inside = new CountDownLatch(1);
      var release = new CountDownLatch(1);
      var first =
          rt.spawn(() ->
              Task.blockInPlace(() -> {
                inside.countDown();
                release.await();
              }));
      inside.await();
      int value = rt.run(Futures.lazy(() -> Task.<Integer, RuntimeException>blockInPlace(() -> 7)));
      release.countDown();
      first.await();
      return value;
    }

    private static final class Broken extends Handler {
      @Override
      public void publish(LogRecord record) {
        LINES.incrementAndGet();
        throw new AssertionError("the log is broken");
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    }
  }
}
