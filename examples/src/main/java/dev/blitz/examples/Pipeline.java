package dev.blitz.examples;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Sender;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.future.Select.Third;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.time.Interval;
import java.time.Duration;

/**
 * Four workers square the numbers they find in one channel into another; a collector sums them up
 * until it is told to stop.
 *
 * <p>Shows: bounded channels, counted senders, a select in a loop. Run: {@code ./blitz example
 * Pipeline}.
 */
public final class Pipeline {
  private static final int WORKERS = 4;
  private static final int JOBS = 100;

  private Pipeline() {}

  /** Prints the sum of the squares from 1 to 100. */
  public static void main(String[] args) throws Exception {
    Channel<Integer> jobs = Channel.bounded(8);
    Channel<Integer> results = Channel.bounded(8);
    CancelToken shutdown = CancelToken.create();
    try (var runtime = BlitzRuntime.create()) {
      for (int i = 0; i < WORKERS; i++) {
        runtime.spawn(worker(jobs, results.sender())); // results closes with the last worker
      }
      var collector = runtime.spawn(collector(results, shutdown));
      for (int job = 1; job <= JOBS; job++) {
        jobs.send(job).await(); // waits while the workers are behind
      }
      jobs.close();
      IO.println("the squares add up to " + collector.await());
    }
  }

  private static Future<Done> worker(Channel<Integer> jobs, Sender<Integer> results) {
    return Futures.loop(() ->
            jobs.next()
                .andThen(job ->
                    job.isEmpty()
                        ? Futures.stop()
                        : results.send(job.get() * job.get()).map(done -> Futures.Step.MORE)))
        .whenDone(results::close);
  }

  private static Future<Long> collector(Channel<Integer> results, CancelToken shutdown) {
    var sum = new long[1];
    Interval ticker = Interval.every(Duration.ofMillis(10));
    return Futures.loop(() ->
            Select.first(results.next(), ticker.tick(), shutdown.cancelled())
                .map(result ->
                    switch (result) {
                      case First(var square) -> {
                        square.ifPresent(s -> sum[0] += s);
                        yield square.isPresent() ? Futures.Step.MORE : Futures.Step.STOP;
                      }
                      case Second(var tick) ->
                          Futures.Step.MORE; // time to flush, in a real program
                      case Third(var done) -> Futures.Step.STOP;
                    }))
        .map(done -> sum[0]);
  }
}
