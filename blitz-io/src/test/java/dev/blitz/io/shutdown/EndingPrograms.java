package dev.blitz.io.shutdown;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.Signals;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Programs that a JVM of its own runs and that end in some way; see {@link EndingProgramsTest}. */
final class EndingPrograms {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private EndingPrograms() {}

  /** {@code args}: which one. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "restored" -> restored();
      case "serving" -> serving(() -> {});
      case "exit" -> serving(() -> exitElsewhere());
      case "exit inside" -> serving(() -> System.exit(4));
      case "forced" -> forced();
      case "stuck" -> stuck();
      case "patient" -> patient();
      case "unsupported" -> unsupported();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** The JVM ends by TERM as if nobody had ever listened. */
  private static void restored() throws InterruptedException {
    Signals.listen(Signal.TERM).close();
    IO.println("ready");
    new CountDownLatch(1).await();
  }

  /** Has work that ends a while after the trigger. */
  private static void serving(Runnable then) throws Exception {
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals()) {
        shutdown.track(
            Task.spawn(() -> {
              shutdown.triggered().await();
              Task.sleep(Duration.ofMillis(100)).await();
              IO.println("work done");
            }));
        IO.println("ready");
        then.run();
        shutdown.triggered().await();
        IO.println(shutdown.drain(LIMIT));
      }
    });
    IO.println("main ends");
  }

  private static void exitElsewhere() {
    Thread.ofPlatform().start(() -> System.exit(3));
  }

  private static void forced() throws Exception {
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals()) {
        shutdown.track(Task.spawn(SpawnOptions.named("stubborn"), Futures.<Object>pending()));
        IO.println("ready");
        shutdown.triggered().await();
        IO.println("triggered");
        IO.println(shutdown.drain(LIMIT));
      }
    });
  }

  /** Its only worker never comes back, so nobody can drain. */
  private static void stuck() throws Exception {
    var stuck = new CountDownLatch(1);
    BlitzRuntime runtime = BlitzRuntime.builder().workers(1).build();
    Shutdown.builder().onJvmExit(Duration.ofMillis(100)).open(runtime);
    runtime
        .spawn(
            Futures.lazy(() -> {
              stuck.countDown();
              new CountDownLatch(1).await();
              return 0;
            }))
        .detach();
    stuck.await();
    IO.println("ready");
    System.exit(5);
  }

  /** Somebody drains, and would wait for an hour. */
  private static void patient() throws Exception {
    var draining = new CountDownLatch(1);
    BlitzRuntime runtime = BlitzRuntime.builder().workers(1).build();
    Shutdown shutdown = Shutdown.builder().onJvmExit(Duration.ofMillis(100)).open(runtime);
    shutdown.track(runtime.spawn(SpawnOptions.named("stubborn"), Futures.<Object>pending()));
    shutdown.during(ShutdownPhase.STOPPING, "tell", draining::countDown);
    Thread.ofPlatform().daemon().start(() -> IO.println(shutdown.drain(Duration.ofHours(1))));
    draining.await();
    IO.println("ready");
    System.exit(6);
  }

  private static void unsupported() {
    try {
      Signals.listen(Signal.TERM).close();
      IO.println("supported");
    } catch (UnsupportedOperationException e) {
      IO.println(e.getMessage());
    }
  }
}
