package dev.blitz.examples.demo;

import static dev.blitz.examples.demo.Screen.number;
import static dev.blitz.examples.demo.Screen.time;
import static dev.blitz.io.task.ScopePolicy.supervise;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Promise;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What blitz-io does: sleepers, a server under load, a pipeline, an orderly end. */
final class IoScenes {
  private final Screen screen;
  private final int scale;

  /** {@code scale}: everything is so many times smaller. */
  IoScenes(Screen screen, int scale) {
    this.screen = screen;
    this.scale = scale;
  }

  // --- A million sleepers ---

  void sleepers() {
    int count = (Runtime.getRuntime().maxMemory() > 1L << 30 ? 1_000_000 : 200_000) / scale;
    screen.scene("Tasks: " + number(count) + " of them sleep at the same time");
    long heapBefore = Task.blockInPlace(IoScenes::usedHeap);
    long start = System.nanoTime();
    var left = new AtomicInteger(count);
    var lastWake = new AtomicLong();
    Promise<Done> allAwake = Promise.create("all awake");
    Duration nap = Duration.ofMillis(scale > 1 ? 100 : 3_000);
    Deadline due = Deadline.after(nap);
    for (int i = 0; i < count; i++) {
      Task.spawn(
              Task.sleepUntil(due)
                  .map(done -> {
                    if (left.decrementAndGet() == 0) {
                      lastWake.set(System.nanoTime());
                      allAwake.complete(Done.DONE);
                    }
                    return done;
                  }))
          .detach();
      if (i % 1_000 == 0) {
        Task.yieldNow().await(); // others have their turn meanwhile
      }
    }
    screen.figure("started", "in " + time(System.nanoTime() - start));
    long heapOfAll = Task.blockInPlace(IoScenes::usedHeap) - heapBefore;
    screen.figure(
        "memory",
        left.get() == count
            ? heapOfAll / count + " bytes each, all included"
            : "not known: the first woke before the last was started");
    allAwake.future().await();
    long late = lastWake.get() - start - nap.toNanos();
    screen.figure(
        "woken", "all are due at the same moment; the last woke " + time(late) + " later");
  }

  private static long usedHeap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  // --- A server under load ---

  void server(int port) throws Exception {
    int connections = 64;
    int seconds = 4;
    screen.scene("Server: HTTP on port " + port + ", asked over " + connections + " connections");
    var latencies = new Latencies();
    long start = System.nanoTime();
    try (var clients = TaskScope.open()) {
      for (int i = 0; i < connections; i++) {
        clients.spawn(() -> ask(port, latencies));
      }
      int updates = scale > 1 ? 1 : seconds * screen.updatesPerSecond();
      long pause = scale > 1 ? 100 : 1_000 / screen.updatesPerSecond();
      for (int i = 0; i < updates; i++) {
        Task.sleep(Duration.ofMillis(pause)).await();
        long perSecond = latencies.count() * 1_000_000_000 / (System.nanoTime() - start);
        screen.live("requests", number(perSecond) + " a second; " + latencies);
      }
      clients.cancel();
    }
    screen.figure("answered", number(latencies.count()) + "; server and clients shared the cores");
  }

  private static Done ask(int port, Latencies latencies) throws IOException {
    var request = ByteBuffer.wrap(DemoServer.request("/hello"));
    var answer = ByteBuffer.allocate(DemoServer.helloBytes());
    try (var stream = connect(port)) {
      while (true) {
        long start = System.nanoTime();
        stream.writeAll(request.rewind()).await();
        stream.readFully(answer.clear()).await();
        latencies.add(System.nanoTime() - start);
      }
    }
  }

  private static TcpStream connect(int port) throws IOException {
    return TcpStream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).await();
  }

  // --- Back-pressure ---

  void pipeline() {
    int room = 64;
    int items = 1_000_000 / scale;
    screen.scene("Channels: a pipeline with room for " + room + " in each of its two channels");
    long start = System.nanoTime();
    long sum = throughTwoChannels(room, items);
    long took = System.nanoTime() - start;
    screen.figure(
        "quick", number(items) + " items in " + time(took) + ", the sum is " + number(sum));

    var sent = new AtomicInteger();
    var taken = new AtomicInteger();
    Channel<Integer> numbers = Channel.bounded(room);
    try (var scope = TaskScope.open()) {
      scope.spawn(() -> {
        for (int i = 0; ; i++) {
          numbers.send(i).await();
          sent.incrementAndGet();
        }
      });
      scope.spawn(() -> {
        for (int i : numbers.receiver()) {
          taken.set(i + 1);
          Task.sleep(Duration.ofMillis(1)).await();
        }
      });
      Task.sleep(Duration.ofMillis(scale > 1 ? 20 : 500)).await();
      screen.figure(
          "slow",
          "a consumer that needs a millisecond each took "
              + taken
              + "; its producer, which never pauses, was held back at "
              + sent);
      scope.cancel();
    }
  }

  private static long throughTwoChannels(int room, int items) {
    Channel<Integer> numbers = Channel.bounded(room);
    Channel<Integer> squares = Channel.bounded(room);
    try (var scope = TaskScope.open()) {
      scope.spawn(() -> {
        for (int i = 0; i < items; i++) {
          numbers.send(i).await(); // waits while there is no room
        }
        numbers.close();
      });
      scope.spawn(() -> {
        for (int i : numbers.receiver()) {
          squares.send(i % 1_000).await();
        }
        squares.close();
      });
      long sum = 0;
      for (int square : squares.receiver()) {
        sum += square;
      }
      scope.join();
      return sum;
    }
  }

  // --- An orderly end ---

  void drain() throws Exception {
    int clients = 100;
    screen.scene("Shutdown: while " + clients + " requests are being answered");
    try (var shutdown = Shutdown.open();
        var listener =
            TcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var connections = shutdown.track(TaskScope.open(supervise((client, e) -> {})));
        var asking = TaskScope.open()) {
      int port = listener.localAddress().getPort();
      var server = Task.spawn(() -> new DemoServer().serve(listener, connections, shutdown));
      var sent = new AtomicInteger();
      var answered = new AtomicInteger();
      for (int i = 0; i < clients; i++) {
        asking.spawn(() -> askSlowly(port, sent, answered));
      }
      while (sent.get() < clients) {
        Task.sleep(Duration.ofMillis(1)).await();
      }
      long start = System.nanoTime();
      var report = shutdown.drain(Duration.ofSeconds(10));
      screen.figure(
          "drained",
          "in "
              + time(System.nanoTime() - start)
              + (report.clean() ? ": all work finished" : ": " + report));
      asking.join();
      screen.figure("answered", answered + " of " + clients);
      server.await();
    }
  }

  private static Done askSlowly(int port, AtomicInteger sent, AtomicInteger answered)
      throws IOException {
    try (var stream = connect(port)) {
      stream.writeAll(ByteBuffer.wrap(DemoServer.request("/slow"))).await();
      sent.incrementAndGet();
      if (stream.read(ByteBuffer.allocate(1024)).await() > 0) {
        answered.incrementAndGet();
      }
      return Done.DONE;
    }
  }
}
