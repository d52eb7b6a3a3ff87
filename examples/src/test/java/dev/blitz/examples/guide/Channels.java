package dev.blitz.examples.guide;

import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.BroadcastReceiver;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.channel.Sender;
import dev.blitz.io.channel.Watch;
import dev.blitz.io.channel.WatchReceiver;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.future.Select.Third;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** docs/guide/channels.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Channels {
  record Job(Path path, Oneshot<Done> taken) {}

  interface Connection extends AutoCloseable {
    @Override
    void close();
  }

  abstract long size(Path path) throws IOException;

  abstract void walk(Path root, Sender<Path> to) throws IOException;

  abstract int expensive();

  abstract Future<Integer> compute();

  abstract void log(String text);

  abstract void handle(String message);

  abstract void flush();

  void pipeline() {
    Channel<Path> jobs = Channel.bounded(64);
    Channel<Long> results = Channel.bounded(64);

    Future<Done> worker =
        Futures.loop(() ->
            jobs.next()
                .andThen(path ->
                    path.isEmpty()
                        ? Futures.stop()
                        : results.send(size(path.get())).map(done -> Futures.Step.MORE)));
  }

  void loop(Channel<Path> jobs, Channel<Long> results) throws IOException {
    for (Path path : jobs.receiver()) {
      results.send(size(path)).await();
    }
  }

  void producers(Channel<Path> jobs, List<Path> roots, TaskScope scope) {
    try (Sender<Path> first = jobs.sender()) {
      for (Path root : roots) {
        Sender<Path> own = first.copy();
        scope.spawn(() -> {
          try (own) {
            walk(root, own);
          }
        });
      }
    }
  }

  void end(Channel<Connection> channel) {
    channel.close();
    channel.tryReceiveMany(Integer.MAX_VALUE).forEach(Connection::close);
  }

  void dropping(Channel<Integer> numbers) {
    Future<Integer> soon = numbers.receive().timeout(Duration.ofMillis(50));
    Future<Done> patient = numbers.send(7).timeout(Duration.ofSeconds(1));
  }

  void reserve(Channel<Integer> numbers) {
    Future<Done> careful =
        numbers
            .reserve()
            .map(permit -> {
              permit.send(expensive());
              return Done.DONE;
            });
  }

  static void oneshot() {
    Oneshot<Integer> reply = Oneshot.create();
    Future<Integer> answer = reply.receive();
    reply.send(42);
  }

  void closed(Oneshot<Integer> reply) throws Exception {
    switch (Select.first(compute(), reply.closed()).await()) {
      case First(var value) -> reply.trySend(value);
      case Second(var done) -> log("nobody waits for it any more");
    }
  }

  static void broadcast() {
    Broadcast<String> events = Broadcast.create(128);
    BroadcastReceiver<String> log = events.subscribe();
    events.send("started");
    Future<String> first = log.receive();
  }

  static void watch() {
    Watch<String> config = Watch.of("v1");
    WatchReceiver<String> own = config.subscribe();
    config.send("v2");
    config.send("v3");
    Future<String> change = own.changed();
    Future<String> wanted = own.waitFor(v -> v.startsWith("v4"));
  }

  static void handOver(Channel<Job> jobs, Path path) {
    Oneshot<Done> taken = Oneshot.create();
    Future<Done> handedOver = jobs.send(new Job(path, taken)).andThen(sent -> taken.receive());
  }

  void select(Channel<String> inbox, Interval ticker, CancelToken shutdown) {
    while (true) {
      switch (Select.first(inbox.receive(), ticker.tick(), shutdown.cancelled()).await()) {
        case First(var message) -> handle(message);
        case Second(var tick) -> flush();
        case Third(var done) -> {
          return;
        }
      }
    }
  }

  static void look(Channel<String> inbox, Interval ticker) {
    Future<String> look =
        Select.on(inbox.receive(), message -> "got " + message)
            .on(ticker.tick(), tick -> "tick " + tick.number())
            .orElse(() -> "nothing yet")
            .build();
  }
}
