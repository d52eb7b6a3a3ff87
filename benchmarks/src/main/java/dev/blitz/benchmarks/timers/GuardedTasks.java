package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait with a time-out for something that comes at once: a yield. The tasks and the
 * yields are the same for every contender, only the timer differs.
 */
final class GuardedTasks {
  private static final Duration LIMIT = Duration.ofSeconds(TimerSizes.TIMEOUT_SECONDS);

  private final TimerSizes sizes;

  GuardedTasks(TimerSizes sizes) {
    this.sizes = sizes;
  }

  Fixture blitz() {
    return fixture(() -> Task.yieldNow().timeout(LIMIT), () -> {});
  }

  Fixture netty() {
    var timer = NettyTimers.timer();
    return fixture(() -> new ByNetty(timer), timer::stop);
  }

  Fixture pool() {
    var pool = PoolTimers.pool();
    return fixture(() -> new ByPool(pool), pool::shutdownNow);
  }

  private Fixture fixture(Supplier<Future<Done>> guarded, Runnable stop) {
    return new Fixture() {
      private final BlitzRuntime runtime = Sleeps.runtime();

      @Override
      public long run() throws Exception {
        return runtime.run(new All(sizes.tasks(), sizes.guards(), guarded));
      }

      @Override
      public void tearDown() {
        runtime.close();
        stop.run();
      }
    };
  }

  /** Spawns the tasks and joins them. */
  private static final class All implements Future<Long> {
    private final List<JoinHandle<Integer>> handles = new ArrayList<>();
    private final int tasks;
    private final int guards;
    private final Supplier<Future<Done>> guarded;
    private int joined;
    private long sum;

    All(int tasks, int guards, Supplier<Future<Done>> guarded) {
      this.tasks = tasks;
      this.guards = guards;
      this.guarded = guarded;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      while (handles.size() < tasks) {
        handles.add(Task.spawn(new Requests(guards, guarded)));
      }
      while (joined < tasks) {
        Integer value = handles.get(joined).poll(cx);
        if (value == null) {
          return null;
        }
        sum += value;
        joined++;
      }
      return sum;
    }
  }

  /** One guarded wait after the other. */
  private static final class Requests implements Future<Integer> {
    private final int count;
    private final Supplier<Future<Done>> guarded;
    private @Nullable Future<Done> current;
    private int done;

    Requests(int count, Supplier<Future<Done>> guarded) {
      this.count = count;
      this.guarded = guarded;
    }

    @Override
    public @Nullable Integer poll(Context cx) throws Exception {
      while (done < count) {
        var waiting = current;
        if (waiting == null) {
          waiting = guarded.get();
          current = waiting;
        }
        if (waiting.poll(cx) == null) {
          return null;
        }
        current = null;
        done++;
      }
      return count;
    }
  }

  private static final class ByNetty implements Future<Done> {
    private final Future<Done> inner = Task.yieldNow();
    private final HashedWheelTimer timer;
    private @Nullable Timeout timeout;

    ByNetty(HashedWheelTimer timer) {
      this.timer = timer;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      Done value = inner.poll(cx);
      if (value == null && timeout == null) {
        Waker waker = cx.waker();
        timeout = timer.newTimeout(t -> waker.wake(), TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } else if (value != null && timeout != null) {
        timeout.cancel();
      }
      return value;
    }
  }

  private static final class ByPool implements Future<Done> {
    private final Future<Done> inner = Task.yieldNow();
    private final ScheduledThreadPoolExecutor pool;
    private @Nullable ScheduledFuture<?> timeout;

    ByPool(ScheduledThreadPoolExecutor pool) {
      this.pool = pool;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      Done value = inner.poll(cx);
      if (value == null && timeout == null) {
        Waker waker = cx.waker();
        timeout = pool.schedule(waker::wake, TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } else if (value != null && timeout != null) {
        timeout.cancel(false);
      }
      return value;
    }
  }
}
