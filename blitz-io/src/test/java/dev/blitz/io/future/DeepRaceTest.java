package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.DeepStack;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.sync.Barrier;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.OnceCell;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.time.DelayQueue;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.io.time.RateLimiter;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * One future of a race has begun when the next finds no stack: the first is dropped at the same
 * depth, so what it needs for that has been there when it began.
 */
@Strict
class DeepRaceTest {
  private static final int LEVELS = 1_500;

  private final ManualTimeSource clock = new ManualTimeSource(false);
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).clock(clock).build();
  private final Mutex locked = Mutex.create();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Makes a future that waits. */
  private interface Wait {
    Future<?> make();
  }

  private void raceAtEachDepth(Wait first) throws Exception {
    var cx = Context.of(() -> {});
    assertThat(locked.tryLock()).isTrue();
    Future<?> before = Futures.<Object>race(first.make(), locked.lock()); // the classes are there
    assertThat(before.poll(cx)).isNull();
    before.drop();
    Future<?>[] races = new Future<?>[LEVELS]; // those that have not ended
    int overflows =
        DeepStack.climb(
            LEVELS,
            level -> {
              races[level] = null;
              Future<?> race =
                  Futures.<Object>race(first.make(), locked.lock()); // which needs much
              race.poll(cx);
              races[level] = race;
            });
    for (Future<?> race : races) {
      if (race != null) {
        race.drop();
      }
    }
    assertThat(overflows).isBetween(1, LEVELS - 1);
    locked.unlock();
    assertThat(locked.tryLock()).isTrue();
  }

  @Test
  void notified_leavesNoWaiter() throws Exception {
    var notify = Notify.create();
    raceAtEachDepth(notify::notified);
    notify.notifyOne();
    assertThat(notify.tryNotified()).isTrue();
  }

  @Test
  void permit_leavesNoWaiter() throws Exception {
    var permits = Semaphore.create(0, 1);
    raceAtEachDepth(permits::acquire);
    permits.release();
    assertThat(permits.tryAcquire()).isTrue();
  }

  @Test
  void arrival_isTakenBack() throws Exception {
    var barrier = Barrier.create(LEVELS * 2);
    raceAtEachDepth(barrier::arrive);
    assertThat(barrier.arrived()).isZero();
  }

  @Test
  void delayedValue_isNotKeptForAWaiter() throws Exception {
    DelayQueue<String> queue = rt.run(() -> DelayQueue.<String>create());
    raceAtEachDepth(queue::next);
    queue.insert("now", Duration.ZERO);
    assertThat(queue.tryNext()).isEqualTo("now");
  }

  @Test
  void token_isNotKeptForAWaiter() throws Exception {
    RateLimiter limiter = rt.run(() -> RateLimiter.create(1, Duration.ofDays(1), 1));
    assertThat(limiter.tryAcquire()).isTrue();
    raceAtEachDepth(limiter::acquire);
    clock.advance(Duration.ofDays(1));
    assertThat(limiter.tryAcquire()).isTrue();
  }

  @Test
  void promise_leavesNoWaiter() throws Exception {
    Promise<Integer> promise = Promise.create();
    raceAtEachDepth(promise::future);
    assertThat(promise.hasWaiters()).isFalse();
  }

  @Test
  void receive_leavesNoWaiter() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    raceAtEachDepth(channel::receive);
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(channel.tryReceive()).isEqualTo(1);
  }

  @Test
  void onceCell_theTurnIsNotGivenToAWaiterThatIsGone() throws Exception {
    OnceCell<Integer> cell = OnceCell.create();
    var first = cell.getOrInitAsync(() -> Futures.from(new CompletableFuture<Integer>()));
    assertThat(first.poll(Context.of(() -> {}))).isNull();
    raceAtEachDepth(() -> cell.getOrInit(() -> 1));
    first.drop();
    assertThat(cell.set(2)).isTrue();
  }

  /** Needs hardly any stack. */
  private static final class Began implements Future<Done> {
    private boolean begun;
    private boolean dropped;

    @Override
    public @Nullable Done poll(Context cx) {
      begun = true;
      return null;
    }

    @Override
    public void drop() {
      dropped = true;
    }
  }

  @Test
  void guard_dropsWhatHasBegun() throws Exception {
    var cx = Context.of(() -> {});
    var token = CancelToken.create().child();
    var inner = new @Nullable Began[LEVELS];
    var overflowed = new boolean[LEVELS];
    Future<Done> before = token.guard((Future<Done>) new Began());
    assertThat(before.poll(cx)).isNull();
    before.drop();
    int overflows =
        DeepStack.climb(
            LEVELS,
            level -> {
              overflowed[level] = true;
              var began = new Began();
              inner[level] = began;
              token.guard((Future<Done>) began).poll(cx);
              overflowed[level] = false;
            });
    assertThat(overflows).isBetween(1, LEVELS - 1);
    for (int level = 0; level < LEVELS; level++) {
      Began began = inner[level];
      if (overflowed[level] && began != null && began.begun) {
        assertThat(began.dropped).isTrue();
      }
    }
  }
}
