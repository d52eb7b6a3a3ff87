package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.failAfter;
import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Promise;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.JoinSet;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** docs/guide/tasks.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Tasks {
  record Config(String text) {}

  record Page(String text) {}

  abstract Config load() throws IOException;

  abstract Page fetch(String url) throws IOException;

  abstract void run(String job) throws IOException;

  abstract void serve(TcpStream stream) throws IOException;

  abstract void show(Page page);

  abstract String read(ResultSet rows) throws SQLException;

  static void lazy() throws Exception {
    Future<Integer> length = Futures.lazy(() -> "blitz").map(String::length);
    int five = Blitz.run(length);
  }

  static void spawn() {
    try (BlitzRuntime runtime = BlitzRuntime.builder().workers(2).name("demo").build()) {
      JoinHandle<Integer> answer =
          runtime.spawn(SpawnOptions.named("deep thought"), Futures.lazy(() -> 6 * 7));
      IO.println(answer.await());
    }
  }

  static void drops(JoinHandle<String> near, JoinHandle<String> far, JoinHandle<Integer> task) {
    String fastest = Futures.race(near.cancelOnDrop(), far.cancelOnDrop()).await();
    int answer = task.timeout(Duration.ofSeconds(2)).await();
    int maybe = task.stopWaitingAfter(Duration.ofSeconds(2)).await();
  }

  static void shield() {
    Future<Done> save = Task.sleep(Duration.ofMillis(10));
    JoinHandle<Done> task = Task.spawn(Task.shielded(save));
    task.cancel();
  }

  static void token() {
    CancelToken server = CancelToken.create();
    CancelToken request = server.child();
    Future<Done> work = request.guard(Task.sleep(Duration.ofHours(1)));
    server.cancel();
  }

  void owned(TcpStream stream, Semaphore.Permit permit) {
    Task.spawn(owning(stream, permit), () -> serve(stream));
  }

  void promise() throws Exception {
    Promise<Config> config = Promise.create("config");
    Task.spawn(owning(config), () -> config.complete(load()));
    Config now = config.future().await();
  }

  static void within() {
    Future<String> page =
        TaskScope.within(scope -> {
          JoinHandle<String> user = scope.spawn(Futures.ready("user"));
          JoinHandle<String> posts = scope.spawn(Futures.ready("posts"));
          return Futures.join(user, posts).map(both -> both.first() + both.second());
        });
  }

  void jobs(List<String> work, List<String> urls) {
    try (var jobs = TaskScope.open(limit(64).and(failAfter(3)))) {
      for (var job : work) jobs.spawn(() -> run(job));
      jobs.join();
    }
    List<Page> pages = TaskScope.map(urls, 16, url -> fetch(url));
  }

  void joinSet(TaskScope scope, List<String> urls) {
    JoinSet<Page> ready = JoinSet.create();
    for (var url : urls) ready.add(scope.spawn(() -> fetch(url)));
    for (var page : ready) show(page.get());
  }

  String blocking(Connection connection) throws SQLException {
    try (var scope = TaskScope.open();
        var statement = connection.prepareStatement("select ...")) {
      var report =
          scope.spawnBlocking(
              SpawnOptions.onCancel(statement::cancel), () -> read(statement.executeQuery()));
      scope.join(Duration.ofSeconds(5));
      return report.get();
    }
  }
}
