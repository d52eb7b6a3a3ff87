package dev.blitz.examples.guide;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.sync.Barrier;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.OnceCell;
import dev.blitz.io.sync.RwLock;
import dev.blitz.io.sync.Semaphore;
import java.util.Map;
import java.util.Queue;

/** docs/guide/sync.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Sync {
  private int balance;

  record Config() {}

  abstract Future<Done> store(int amount);

  abstract Future<Config> load();

  abstract void look();

  abstract void change();

  abstract void query();

  abstract void compute();

  abstract void publish();

  abstract boolean isRight();

  void mutex(Mutex mutex, int amount) {
    try (var guard = mutex.lock().await()) {
      balance += amount;
    }
    Future<Done> deposit = mutex.lock().andThen(guard -> store(amount).whenDone(guard::close));
    if (mutex.tryLock()) {
      try {
        balance += amount;
      } finally {
        mutex.unlock();
      }
    }
  }

  void readAndWrite(RwLock routes) {
    try (var guard = routes.read().await()) {
      look();
    }
    try (var writing = routes.write().await()) {
      change();
      try (var reading = writing.downgrade()) {
        look();
      }
    }
  }

  void permits() {
    Semaphore connections = Semaphore.create("connections", 10);
    try (var permit = connections.acquire().await()) {
      query();
    }
    try (var three = connections.acquire(3).await()) {
      Semaphore.Permit one = three.split(1);
      one.close();
    }
  }

  static void tokens() {
    Semaphore tokens = Semaphore.create(0, 100);
    tokens.releaseUpTo(10);
    tokens.acquire().await().forget();
  }

  static void barging(Map<String, Integer> counts, String page) {
    Mutex hits = Mutex.barging("hits");
    try (var guard = hits.lock().await()) {
      counts.merge(page, 1, Integer::sum);
    }
  }

  void barrier() {
    Barrier phase = Barrier.create(4);
    compute();
    if (phase.arrive().await().isLeader()) {
      publish();
    }
  }

  static void notify(Queue<String> queue, String item, Notify filled) {
    queue.add(item);
    filled.notifyOne();
    while (queue.isEmpty()) {
      filled.notified().await();
    }
  }

  void change(Notify changed) {
    var change = changed.notified();
    if (!isRight()) {
      change.await();
    }
  }

  void once(OnceCell<Config> config) throws Exception {
    Config now = config.getOrInit(() -> new Config()).await();
    Config same = config.getOrInitAsync(() -> load()).await();
    Config orNull = config.get();
  }
}
