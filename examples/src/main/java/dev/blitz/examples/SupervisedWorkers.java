package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.named;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.TaskScope;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Four workers take jobs from one queue. A worker that a job has broken is started again, after a
 * pause that grows if it happens often; the other jobs are not affected.
 *
 * <p>Shows: supervise with restart, names, drain. Run: {@code ./blitz example SupervisedWorkers}.
 */
public final class SupervisedWorkers {
  private static final Backoff PATIENCE =
      Backoff.exponential(Duration.ofMillis(1)).cap(Duration.ofSeconds(1));

  private SupervisedWorkers() {}

  /** Runs a hundred jobs, of which three are bad. */
  public static void main(String[] args) throws Exception {
    var done = new AtomicInteger();
    Blitz.run(() -> {
      var jobs = Channel.<Integer>bounded(8);
      try (var workers =
          TaskScope.open(
              supervise((who, e) -> IO.println("started again: " + e.getMessage()), PATIENCE))) {
        for (int i = 0; i < 4; i++) {
          workers.spawn(named("worker " + i), () -> work(jobs, done));
        }
        for (int job = 0; job < 100; job++) {
          jobs.send(job).await();
        }
        jobs.close(); // each worker ends when nothing is left
        workers.drain(Duration.ofSeconds(10));
      }
    });
    IO.println(done + " jobs were done");
  }

  private static boolean work(Channel<Integer> jobs, AtomicInteger done) {
    for (var job = jobs.next().await(); job.isPresent(); job = jobs.next().await()) {
      if (job.get() % 40 == 7) {
        throw new IllegalStateException("job " + job.get() + " broke its worker");
      }
      done.incrementAndGet();
    }
    return true;
  }
}
