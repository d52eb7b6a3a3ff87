package dev.blitz.examples.guide;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.Debounce;
import dev.blitz.io.time.DelayQueue;
import dev.blitz.io.time.Interval;
import dev.blitz.io.time.MissedTicks;
import dev.blitz.io.time.RateLimiter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** docs/guide/time.md. */
@SuppressWarnings({"CheckReturnValue", "FutureReturnValueIgnored", "try", "UnusedVariable"})
abstract class Time {
  record Page(String text) {}

  interface Watcher {
    void onChange(Runnable action);
  }

  abstract String ask(TcpStream server) throws IOException;

  abstract String fetch(String url) throws IOException;

  abstract Future<Page> load(long id);

  abstract void reload();

  abstract void sendFive();

  static void timeout() {
    Future<String> slow = Task.sleep(Duration.ofSeconds(5)).map(done -> "late");
    Future<String> answer =
        slow.timeout(Duration.ofMillis(50))
            .recover(failure -> {
              if (failure instanceof TimedOutException) {
                return "no answer";
              }
              throw failure;
            });
  }

  static void deadline() {
    Future<Done> both =
        Futures.lazy(() -> Deadline.after(Duration.ofSeconds(2)))
            .andThen(limit ->
                Task.sleep(Duration.ofMillis(10))
                    .timeoutAt(limit)
                    .andThen(done -> Task.sleep(Duration.ofMillis(10)).timeoutAt(limit)));
  }

  void block(InetSocketAddress address) throws IOException {
    String page =
        Task.timeout(
            Duration.ofSeconds(2),
            () -> {
              try (var server = TcpStream.connect(address).await()) {
                return ask(server);
              }
            });
  }

  void retry(String url, long id) throws IOException {
    var patient =
        Backoff.exponential(Duration.ofMillis(100))
            .cap(Duration.ofSeconds(10))
            .jitter(0.5)
            .limit(5);
    String page = Task.retry(patient, () -> fetch(url));
    Future<Page> later = Futures.retry(patient, () -> load(id));
  }

  static void interval() {
    Interval every = Interval.every(Duration.ofSeconds(1)).onMissed(MissedTicks.SKIP);
    Future<Done> report =
        Futures.loop(() ->
            every
                .tick()
                .map(tick -> {
                  IO.println("tick " + tick.number() + ", late by " + tick.late());
                  return tick.number() < 9 ? Futures.Step.MORE : Futures.Step.STOP;
                }));
  }

  void debounce(Watcher watcher) {
    Debounce changes = Debounce.after(Duration.ofMillis(200));
    watcher.onChange(changes::event);
    while (true) {
      changes.quiet().await();
      reload();
    }
  }

  static void delayQueue() {
    Future<String> first =
        Futures.lazy(
                () -> {
                  DelayQueue<String> queue = DelayQueue.create();
                  DelayQueue.Key<String> session = queue.insert("session", Duration.ofMinutes(30));
                  queue.insert("retry", Duration.ofMillis(20));
                  queue.reset(session, Duration.ofMinutes(30));
                  return queue;
                })
            .andThen(DelayQueue::next);
  }

  void rate() {
    RateLimiter requests = RateLimiter.create(100, Duration.ofSeconds(1), 20);
    requests.acquire().await();
    if (requests.tryAcquire(5)) {
      sendFive();
    }
  }

  static void scheduled() {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      ScheduledExecutorService later = runtime.scheduledExecutor();
      later.scheduleAtFixedRate(() -> IO.println("beat"), 0, 100, TimeUnit.MILLISECONDS);
    }
  }
}
