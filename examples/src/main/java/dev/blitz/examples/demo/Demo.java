package dev.blitz.examples.demo;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.named;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tour: what this machine offers, a million sleeping tasks, a server under load, a pipeline,
 * files and processes, sorts and pipelines beside the JDK's, an orderly end.
 *
 * <p>Takes about half a minute. {@code --serve [port]} keeps the server up until Ctrl-C, {@code
 * --quick} makes everything a hundred times smaller. Run: {@code ./blitz demo}.
 */
public final class Demo {
  private final Screen screen = new Screen();
  private final int scale;
  private final boolean serves;
  private final int port;

  private Demo(List<String> options) {
    scale = options.contains("--quick") ? 100 : 1;
    int serve = options.indexOf("--serve");
    serves = serve >= 0;
    boolean hasPort =
        serves && serve + 1 < options.size() && options.get(serve + 1).matches("\\d{1,5}");
    port = hasPort ? Integer.parseInt(options.get(serve + 1)) : serves ? 8080 : 0;
    var unknown = new ArrayList<>(options);
    unknown.removeAll(List.of("--quick", "--serve", "" + port));
    if (!unknown.isEmpty() || port > 65_535) {
      throw new IllegalArgumentException(
          "there is --serve [port] and --quick, not " + String.join(" ", options));
    }
  }

  /** Runs every scene; Ctrl-C ends it in order. */
  public static void main(String[] args) throws Exception {
    Demo demo;
    try {
      demo = new Demo(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println("demo: " + e.getMessage());
      System.exit(2);
      return;
    }
    try {
      demo.run();
    } catch (BindException e) {
      System.err.println("demo: " + e.getMessage() + ": try --serve with another port");
      System.exit(1);
    }
  }

  private void run() throws Exception {
    long start = System.nanoTime();
    try (var runtime = BlitzRuntime.builder().name("demo").build();
        var shutdown = Shutdown.onSignals(runtime)) {
      machine(runtime);
      boolean whole = runtime.run(() -> tour(shutdown));
      var report = runtime.close(Duration.ofSeconds(5));
      screen.scene(whole ? "That was it" : "Stopped");
      screen.figure("time", Screen.time(System.nanoTime() - start));
      screen.figure("runtime", report.toString());
    }
  }

  private void machine(BlitzRuntime runtime) throws Exception {
    screen.scene("This machine");
    screen.figure(
        "system",
        property("os.name")
            + " "
            + property("os.version")
            + ", "
            + property("os.arch")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " cores");
    screen.figure("java", property("java.vm.name") + " " + property("java.vm.version"));
    for (var probe : Blitz.backends()) {
      screen.figure("backend", probe.toString());
    }
    screen.figure("used here", runtime.backend().name() + "; " + runtime.carriers());
    runtime.run(Futures.ready("the first task"));
    long ended = System.currentTimeMillis();
    // Not the start of the process: the launcher that became this JVM may have built for minutes.
    long began = ManagementFactory.getRuntimeMXBean().getStartTime();
    screen.figure(
        "start-up",
        Screen.number(ended - began)
            + " ms from the start of the JVM to the end of the first task");
  }

  /** Whether it was seen to its end. */
  private boolean tour(Shutdown shutdown) throws Exception {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (var listener = TcpListener.bind(address);
        var connections = shutdown.track(TaskScope.open(supervise((client, e) -> {})));
        var tasks = TaskScope.open()) {
      int actual = listener.localAddress().getPort();
      tasks.spawn(named("server"), () -> new DemoServer().serve(listener, connections, shutdown));
      var tour = tasks.spawn(named("tour"), () -> scenes(actual));
      Outcome<?> outcome;
      try (var _ = shutdown.token().onCancel(tour::cancel)) {
        outcome = Futures.outcome(tour).await();
      }
      if (outcome instanceof Outcome.Success && serves) {
        screen.scene("Serving http://localhost:" + actual + "/ until Ctrl-C");
        shutdown.triggered().await();
      }
      screen.scene("The end");
      screen.figure("server", shutdown.drain(Duration.ofSeconds(10)).toString());
      tasks.join();
      return outcome instanceof Outcome.Success;
    }
  }

  private boolean scenes(int actual) throws Exception {
    if (serves) {
      screen.figure("server", "http://localhost:" + actual + "/ is up from now on");
    }
    var io = new IoScenes(screen, scale);
    io.sleepers();
    io.server(actual);
    io.pipeline();
    new FileScene(screen, scale).show();
    Task.spawnBlocking(() -> new ParallelScene(screen, scale).show())
        .await(); // it computes for seconds
    io.drain();
    return true;
  }

  private static String property(String key) {
    return System.getProperty(key, "unknown");
  }
}
