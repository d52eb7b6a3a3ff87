package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.RateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Two kinds of limits: a client that keeps to what the service behind it allows, by waiting; and a
 * service that turns away whoever asks too often.
 *
 * <p>Shows: RateLimiter, acquire and tryAcquire. Run: {@code ./blitz example RateLimits}.
 */
public final class RateLimits {
  private RateLimits() {}

  /** Prints how long fifty polite calls take, and how many of ten rude ones are served. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      var polite = RateLimiter.create(500, Duration.ofSeconds(1), 1); // evenly: one every 2 ms
      long start = System.nanoTime();
      TaskScope.map(
          IntStream.range(0, 50).boxed().toList(),
          8,
          call -> {
            polite.acquire().await(); // in the order of arrival
            return call;
          });
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
      IO.println("50 calls at 500 a second took at least 98 ms: " + (millis >= 98));

      var service = new Service();
      long served = IntStream.range(0, 10).filter(i -> service.call("ann").equals("ok")).count();
      IO.println("ann was served " + served + " times of 10, ben: " + service.call("ben"));
    });
  }

  /** Each client may ask three times at once, and then once a minute. */
  private static final class Service {
    private final Map<String, RateLimiter> clients = new ConcurrentHashMap<>();

    String call(String client) {
      var limiter =
          clients.computeIfAbsent(client, c -> RateLimiter.create(1, Duration.ofMinutes(1), 3));
      return limiter.tryAcquire() ? "ok" : "429 Too Many Requests";
    }
  }
}
