package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.Task;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task that keeps as many time-outs outstanding as a busy connection pool: arms one, cancels the
 * oldest. The task is the same for every contender, only the timer differs.
 */
final class OutstandingTimeouts {
  private static final Duration LIMIT = Duration.ofSeconds(TimerSizes.TIMEOUT_SECONDS);

  private final TimerSizes sizes;

  OutstandingTimeouts(TimerSizes sizes) {
    this.sizes = sizes;
  }

  Fixture blitz() {
    return fixture(
        new Timers<Future<Done>>() {
          @Override
          public Future<Done> arm(Context cx) throws Exception {
            var sleep = Task.sleep(LIMIT);
            if (sleep.poll(cx) != null) {
              throw new IllegalStateException("a sleep that is over at once");
            }
            return sleep;
          }

          @Override
          public void cancel(Future<Done> timer) {
            timer.drop();
          }

          @Override
          public void close() {}
        });
  }

  Fixture netty() {
    var timer = NettyTimers.timer();
    return fixture(
        new Timers<Timeout>() {
          @Override
          public Timeout arm(Context cx) {
            Waker waker = cx.waker();
            return timer.newTimeout(
                t -> waker.wake(), TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
          }

          @Override
          public void cancel(Timeout timeout) {
            timeout.cancel();
          }

          @Override
          public void close() {
            timer.stop();
          }
        });
  }

  Fixture pool() {
    var pool = PoolTimers.pool();
    return fixture(
        new Timers<ScheduledFuture<?>>() {
          @Override
          public ScheduledFuture<?> arm(Context cx) {
            return pool.schedule(cx.waker()::wake, TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
          }

          @Override
          public void cancel(ScheduledFuture<?> timeout) {
            timeout.cancel(false);
          }

          @Override
          public void close() {
            pool.shutdownNow();
          }
        });
  }

  private interface Timers<T> extends AutoCloseable {
    T arm(Context cx) throws Exception;

    void cancel(T timer);

    @Override
    void close();
  }

  private <T> Fixture fixture(Timers<T> timers) {
    return new Fixture() {
      private final BlitzRuntime runtime = Sleeps.runtime();

      @Override
      public long run() throws Exception {
        return runtime.run(new Replacing<>(timers, sizes.outstanding(), sizes.cancelled()));
      }

      @Override
      public void tearDown() {
        runtime.close();
        timers.close();
      }
    };
  }

  private static final class Replacing<T> implements Future<Long> {
    private static final int PER_POLL = 64;

    private final Timers<T> timers;
    private final ArrayDeque<T> outstanding;
    private final int most;
    private final int count;
    private int armed;

    Replacing(Timers<T> timers, int most, int count) {
      this.timers = timers;
      this.most = most;
      this.count = count;
      this.outstanding = new ArrayDeque<>(most + 1);
    }

    @Override
    public @Nullable Long poll(Context cx) throws Exception {
      for (int i = 0; i < PER_POLL && armed < count; i++, armed++) {
        outstanding.add(timers.arm(cx));
        if (outstanding.size() > most) {
          timers.cancel(outstanding.remove());
        }
      }
      if (armed < count) {
        cx.waker().wake();
        return null;
      }
      outstanding.forEach(timers::cancel);
      return (long) count;
    }
  }
}
