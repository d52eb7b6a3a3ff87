package dev.blitz.benchmarks.scheduler;

import dev.blitz.benchmarks.harness.Fixture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The JDK's virtual threads, on a scheduler of as many carriers as the others have workers. */
final class VirtualThreads {
  private final SchedulerSizes sizes;

  VirtualThreads(SchedulerSizes sizes) {
    this.sizes = sizes;
  }

  /** What a virtual thread computes. */
  private interface Body {
    long run() throws InterruptedException;
  }

  /** Runs the body on a virtual thread and waits for it. */
  private static long inside(Body body) throws InterruptedException {
    var result = new long[1];
    Thread.startVirtualThread(
            () -> {
              try {
                result[0] = body.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts", e);
              }
            })
        .join();
    return result[0];
  }

  Fixture spawnJoin() {
    return () ->
        inside(() -> {
          var threads = new Thread[sizes.batch()];
          var results = new int[sizes.batch()];
          long sum = 0;
          for (int batch = 0; batch < sizes.batches(); batch++) {
            for (int i = 0; i < threads.length; i++) {
              int index = i;
              threads[i] =
                  Thread.startVirtualThread(() -> results[index] = index & SchedulerSizes.SMALL);
            }
            for (int i = 0; i < threads.length; i++) {
              threads[i].join();
              sum += results[i];
            }
          }
          return sum;
        });
  }

  Fixture spawnFromTask() {
    return () ->
        inside(() -> {
          var latch = new CountDownLatch(sizes.spawned());
          for (int i = 0; i < sizes.spawned(); i++) {
            Thread.startVirtualThread(latch::countDown);
          }
          latch.await();
          return sizes.spawned();
        });
  }

  Fixture yields() {
    return () ->
        inside(() -> {
          var threads = new Thread[sizes.yielders()];
          for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.startVirtualThread(this::yieldTimes);
          }
          for (var thread : threads) {
            thread.join();
          }
          return (long) sizes.yielders() * sizes.yields();
        });
  }

  // The method under measurement is this very one.
  @SuppressWarnings("ThreadPriorityCheck")
  private void yieldTimes() {
    for (int i = 0; i < sizes.yields(); i++) {
      Thread.yield();
    }
  }

  /** A hand-off with one slot: a flag and park. */
  private static final class Slot {
    private volatile boolean full;
    private volatile Thread taker = Thread.currentThread();

    void takenBy(Thread thread) {
      taker = thread;
    }

    void put() {
      full = true;
      LockSupport.unpark(taker);
    }

    void take() {
      while (!full) {
        LockSupport.park(this);
      }
      full = false;
    }
  }

  Fixture pingPong() {
    return () ->
        inside(() -> {
          var ping = new Slot();
          var pong = new Slot();
          var other =
              Thread.ofVirtual()
                  .unstarted(() -> {
                    for (int i = 0; i < sizes.roundTrips(); i++) {
                      ping.take();
                      pong.put();
                    }
                  });
          ping.takenBy(other);
          other.start();
          for (int i = 0; i < sizes.roundTrips(); i++) {
            ping.put();
            pong.take();
          }
          return sizes.roundTrips();
        });
  }

  /** As most would write it. */
  Fixture pingPongQueue() {
    return () ->
        inside(() -> {
          var ping = new SynchronousQueue<Integer>();
          var pong = new SynchronousQueue<Integer>();
          Thread.startVirtualThread(() -> {
            try {
              for (int i = 0; i < sizes.roundTrips(); i++) {
                pong.put(ping.take());
              }
            } catch (InterruptedException e) {
              throw new IllegalStateException("nobody interrupts", e);
            }
          });
          long sum = 0;
          for (int i = 0; i < sizes.roundTrips(); i++) {
            ping.put(1);
            sum += pong.take();
          }
          return sum;
        });
  }

  Fixture chainedSpawn() {
    return () ->
        inside(() -> {
          var end = new CountDownLatch(1);
          link(sizes.chain(), end);
          end.await();
          return sizes.chain();
        });
  }

  private static void link(int left, CountDownLatch end) {
    if (left == 0) {
      end.countDown();
    } else {
      Thread.startVirtualThread(() -> link(left - 1, end));
    }
  }

  Fixture fanOut() {
    return new FanOut(sizes);
  }

  private static final class FanOut implements Fixture {
    private final SchedulerSizes sizes;
    private final Slot[] slots;
    private final AtomicInteger left = new AtomicInteger();
    private final Slot done = new Slot();
    private volatile boolean stopped;

    FanOut(SchedulerSizes sizes) {
      this.sizes = sizes;
      slots = new Slot[sizes.sleepers()];
      for (int i = 0; i < slots.length; i++) {
        var slot = new Slot();
        slots[i] = slot;
        var thread = Thread.ofVirtual().unstarted(() -> sleepAndCount(slot));
        slot.takenBy(thread);
        thread.start();
      }
    }

    private void sleepAndCount(Slot slot) {
      for (; ; ) {
        slot.take();
        if (stopped) {
          return;
        }
        if (left.decrementAndGet() == 0) {
          done.put();
        }
      }
    }

    @Override
    public long run() throws InterruptedException {
      return inside(() -> {
        done.takenBy(Thread.currentThread());
        for (int i = 0; i < sizes.fanOuts(); i++) {
          left.set(slots.length);
          for (var slot : slots) {
            slot.put();
          }
          done.take();
        }
        return (long) sizes.fanOuts() * slots.length;
      });
    }

    @Override
    public void tearDown() {
      stopped = true;
      for (var slot : slots) {
        slot.put();
      }
    }
  }

  Fixture external(int threads) {
    return () ->
        Submitters.run(
            threads,
            sizes.submitted(),
            (count, last) -> {
              for (int i = 0; i < count; i++) {
                Thread.startVirtualThread(last::arrive);
              }
            });
  }
}
