package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Values for threads outside any pool: one each while they live, not one for ever. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel.*") // the common pool is never closed
class WorkerLocalTest {
  private static final int THREADS = 2_000;

  @Test
  void get_onManyThreadsOneAfterTheOther_makesFewValues_andLosesNoSum() throws Exception {
    var sums = new WorkerLocal<>(Pool.common(), AtomicLong::new);
    for (int i = 0; i < THREADS; i++) {
      var guest = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
      guest.start(() -> sums.get().incrementAndGet()).join();
    }
    List<AtomicLong> values = sums.values();
    assertThat(values.stream().mapToLong(AtomicLong::get).sum()).isEqualTo(THREADS);
    assertThat(values).hasSizeLessThanOrEqualTo(64);
  }

  @Test
  void get_onThreadsThatLiveTogether_givesEachItsOwn() throws Exception {
    var local = new WorkerLocal<>(Pool.common(), Object::new);
    int count = 200;
    var all = new CountDownLatch(count);
    Set<Object> seen = new HashSet<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                Object first = local.get();
                all.countDown();
                JoinTest.await(all);
                synchronized (seen) {
                  seen.add(first);
                  seen.add(local.get());
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(seen).hasSize(count);
  }

  /** A virtual thread that queues for a monitor may stand before its own carrier. */
  @Test
  void get_whileSomebodyHoldsItsMonitor_doesNotWait() throws Exception {
    @SuppressWarnings("ThreadLocalUsage") // it is what is tested
    var guests = new GuestLocal<Object>(Object::new);
    var got = new CompletableFuture<Object>();
    synchronized (guests) {
      Thread.ofPlatform().daemon().start(() -> got.complete(guests.value()));
      assertThat(got.get(20, TimeUnit.SECONDS)).isNotNull();
    }
    List<Object> values = new ArrayList<>();
    guests.addTo(values);
    assertThat(values).hasSize(1);
  }

  /** Ends of threads, sweeps and first uses all at once. */
  @Test
  void get_onManyThreadsThatComeAndGo_hasOneUserAtATime_andLosesNoSum() throws Exception {
    var counts = new WorkerLocal<>(Pool.common(), Count::new);
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < THREADS; n++) {
                  Thread guest = Thread.startVirtualThread(() -> counts.get().increment());
                  if (n % 3 == 0) {
                    joinUninterruptibly(guest);
                  }
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    Await.until(
        () -> counts.values().stream().mapToLong(count -> count.times).sum() == 4L * THREADS,
        "all threads to have counted");
    assertThat(counts.values()).noneMatch(count -> count.shared);
  }

  private static void joinUninterruptibly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Count {
    private final AtomicBoolean used = new AtomicBoolean();
    private volatile long times;
    private volatile boolean shared;

    @SuppressWarnings("NonAtomicVolatileUpdate") // it has one user
    void increment() {
      shared |= !used.compareAndSet(false, true);
      times++;
      used.set(false);
    }
  }

  private static final class User {
    private final WorkerLocal<Object[]> buffers =
        new WorkerLocal<>(Pool.common(), () -> new Object[] {this});
  }

  private static WeakReference<User> useOnce() {
    var user = new User();
    assertThat(user.buffers.get()[0]).isSameAs(user);
    return new WeakReference<>(user);
  }

  /** The value refers to its user, and this thread lives on. */
  @Test
  void value_thatRefersToItsUser_goesWithIt() {
    WeakReference<User> used = useOnce();
    Await.untilCollected(() -> used.get() == null, "the user to be forgotten");
  }
}
