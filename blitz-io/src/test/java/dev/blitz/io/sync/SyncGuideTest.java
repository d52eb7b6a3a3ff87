package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.RateLimiter;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The programs of docs/guide/sync.md, as they stand there. */
@Strict
@SuppressWarnings("try") // a guard need not be used
class SyncGuideTest {
  private final Mutex mutex = Mutex.create("accounts");
  private final RwLock routes = RwLock.create("routes");
  private int balance;
  private int looked;

  private Future<Done> store(int amount) {
    balance += amount;
    return Task.yieldNow();
  }

  private void look() {
    looked++;
  }

  @Test
  void mutex_directStacklessAndWithoutGuard() throws Exception {
    int amount = 5;
    try (var guard = mutex.lock().await()) {
      balance += amount;
    }
    Future<Done> deposit = mutex.lock().andThen(guard -> store(amount).whenDone(guard::close));
    deposit.await();
    if (mutex.tryLock()) {
      try {
        balance += amount;
      } finally {
        mutex.unlock();
      }
    }
    assertThat(balance).isEqualTo(15);
  }

  @Test
  void barging_countsHits() {
    var counts = new HashMap<String, Integer>();
    String page = "/";
    Mutex hits = Mutex.barging("hits");
    try (var guard = hits.lock().await()) {
      counts.merge(page, 1, Integer::sum);
    }
    assertThat(counts).containsEntry(page, 1);
  }

  @Test
  void rwLock_readsWritesAndDowngrades() {
    try (var guard = routes.read().await()) {
      look();
    }
    try (var writing = routes.write().await()) {
      look();
      try (var reading = writing.downgrade()) {
        look();
      }
    }
    assertThat(looked).isEqualTo(3);
    assertThat(routes.tryWrite()).isTrue();
  }

  @Test
  void semaphore_permitsAndRates() {
    Semaphore connections = Semaphore.create("connections", 10);
    try (var permit = connections.acquire().await()) {
      look();
    }
    try (var three = connections.acquire(3).await()) {
      Semaphore.Permit one = three.split(1);
      one.close();
    }
    assertThat(connections.availablePermits()).isEqualTo(10);
    Semaphore tokens = Semaphore.create(0, 100);
    for (int second = 0; second < 12; second++) {
      tokens.releaseUpTo(10);
    }
    tokens.acquire().await().forget();
    assertThat(tokens.availablePermits()).isEqualTo(99);
  }

  @Test
  void rateLimiter_limits() throws Exception {
    Blitz.run(() -> {
      RateLimiter requests = RateLimiter.create(100, Duration.ofSeconds(1), 20);
      requests.acquire().await();
      if (requests.tryAcquire(5)) {
        look();
      }
      assertThat(requests.available()).isBetween(14, 20);
    });
    assertThat(looked).isEqualTo(1);
  }

  @Test
  void barrier_hasALeader() {
    Barrier phase = Barrier.create(1);
    if (phase.arrive().await().isLeader()) {
      look();
    }
    assertThat(looked).isEqualTo(1);
  }

  @Test
  void notify_afterTheChange() {
    Notify filled = Notify.create();
    var queue = new ConcurrentLinkedQueue<String>();
    Thread producer =
        Thread.startVirtualThread(() -> {
          queue.add("item");
          filled.notifyOne();
        });
    while (queue.isEmpty()) {
      filled.notified().await();
    }
    assertThat(queue.poll()).isEqualTo("item");
    assertThat(producer).isNotNull();
  }

  private final Notify changed = Notify.create();

  private boolean isRight() {
    changed.notifyWaiters(); // just now
    return false;
  }

  @Test
  void notify_beforeTheLook() {
    var change = changed.notified();
    if (!isRight()) {
      change.await();
    }
    assertThat(changed.tryNotified()).isFalse();
  }

  private static final class Config {}

  private static Future<Config> load() {
    return Futures.ready(new Config());
  }

  @Test
  void onceCell_isMadeOnce() throws Exception {
    OnceCell<Config> config = OnceCell.create();
    Config now = config.getOrInit(() -> new Config()).await();
    Config same = config.getOrInitAsync(() -> load()).await();
    @Nullable Config orNull = config.get();
    assertThat(same).isSameAs(now).isSameAs(orNull);
  }
}
