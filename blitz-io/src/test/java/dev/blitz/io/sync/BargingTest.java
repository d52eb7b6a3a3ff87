package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Locks and permits that are not handed over, but for one who has waited long. */
@Strict
class BargingTest {
  private static final int OVERTAKERS = 16; // as the documentation says

  private static void assertFree(Mutex mutex) {
    assertThat(mutex.isLocked()).isFalse();
    assertThat(mutex.hasWaiters()).isFalse();
    assertThat(mutex.waiting.isEmpty()).isTrue();
  }

  @Test
  void whoComesWhileItIsFree_hasIt_beforeThoseWhoWait() {
    var mutex = Mutex.barging("m");
    assertThat(mutex.tryLock()).isTrue();
    var wait = mutex.lock();
    var polls = new Polls();
    assertThat(polls.poll(wait)).isNull();
    mutex.unlock();
    assertThat(polls.wakes()).as("it is called").isEqualTo(1);
    assertThat(mutex.isLocked()).isFalse();
    var comer = Polls.now(mutex.lock());
    assertThat(polls.poll(wait)).as("too late").isNull();
    comer.close();
    assertThat(polls.wakes()).as("called again").isEqualTo(2);
    polls.poll(wait).close();
    assertFree(mutex);
  }

  @Test
  void afterSixteenOvertakers_theLockIsHandedOver() {
    var mutex = Mutex.barging();
    assertThat(mutex.tryLock()).isTrue();
    var wait = mutex.lock();
    var polls = new Polls();
    assertThat(polls.poll(wait)).isNull();
    for (int i = 0; i < OVERTAKERS; i++) {
      mutex.unlock();
      assertThat(mutex.tryLock()).as("overtaker %s", i).isTrue();
      assertThat(polls.poll(wait)).isNull();
    }
    mutex.unlock();
    assertThat(mutex.tryLock()).as("it is the waiter's").isFalse();
    polls.poll(wait).close();
    assertFree(mutex);
  }

  @Test
  void theNextWaiter_isOvertakenAsOftenAgain() {
    var mutex = Mutex.barging();
    assertThat(mutex.tryLock()).isTrue();
    var first = mutex.lock();
    var second = mutex.lock();
    var polls = new Polls();
    var later = new Polls();
    assertThat(polls.poll(first)).isNull();
    assertThat(later.poll(second)).isNull();
    for (int i = 0; i <= OVERTAKERS; i++) {
      mutex.unlock();
      if (i < OVERTAKERS) {
        assertThat(mutex.tryLock()).isTrue();
      }
    }
    var guard = polls.poll(first);
    assertThat(guard).isNotNull();
    assertThat(later.wakes()).as("only the oldest is called").isZero();
    guard.close();
    for (int i = 1; i < OVERTAKERS; i++) {
      assertThat(mutex.tryLock()).as("overtaker %s", i).isTrue();
      mutex.unlock();
    }
    assertThat(mutex.tryLock()).isTrue();
    mutex.unlock();
    assertThat(mutex.tryLock()).isFalse();
    later.poll(second).close();
    assertFree(mutex);
  }

  @Test
  void thoseWhoWait_areServedInTheirOrder_whoeverLooksFirst() {
    var mutex = Mutex.barging();
    assertThat(mutex.tryLock()).isTrue();
    var first = mutex.lock();
    var second = mutex.lock();
    var polls = new Polls();
    assertThat(polls.poll(first)).isNull();
    assertThat(new Polls().poll(second)).isNull();
    mutex.unlock();
    assertThat(new Polls().poll(second)).as("not the oldest").isNull();
    polls.poll(first).close();
    Polls.now(second).close();
    assertFree(mutex);
  }

  @Test
  void drop_atEveryPoint_losesNeitherLockNorCall() {
    DropExplorer.explore(() -> {
      var mutex = Mutex.barging();
      mutex.tryLock();
      var after = mutex.lock();
      var polls = new Polls();
      return DropExplorer.scenario(mutex.lock())
          .step("another waits", () -> assertThat(polls.poll(after)).isNull())
          .step("unlock", mutex::unlock)
          .check(end -> {
            end.ifValue(Mutex.Guard::close);
            assertThat(polls.wakes()).as("called when its turn came").isEqualTo(1);
            polls.poll(after).close();
            assertFree(mutex);
          });
    });
  }

  @Test
  void permitsThatAreLeft_areForTheNext() {
    var semaphore = Semaphore.barging("s", 2);
    assertThat(semaphore.tryAcquire(2)).isTrue();
    var first = semaphore.acquire();
    var second = semaphore.acquire();
    var polls = new Polls();
    var later = new Polls();
    assertThat(polls.poll(first)).isNull();
    assertThat(later.poll(second)).isNull();
    semaphore.release(2);
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    assertThat(later.wakes()).isZero();
    var permit = polls.poll(first);
    assertThat(permit).isNotNull();
    assertThat(later.wakes()).as("called by the one before").isEqualTo(1);
    later.poll(second).close();
    permit.close();
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    assertThat(semaphore.hasWaiters()).isFalse();
  }

  @Test
  void aLargeRequest_getsAllThatIsReleased_onceOthersHavePassed() {
    var semaphore = Semaphore.barging(3);
    assertThat(semaphore.tryAcquire(3)).isTrue();
    var all = semaphore.acquire(3);
    var polls = new Polls();
    assertThat(polls.poll(all)).isNull();
    for (int i = 0; i < OVERTAKERS; i++) {
      semaphore.release();
      assertThat(semaphore.tryAcquire()).as("overtaker %s", i).isTrue();
    }
    semaphore.release();
    assertThat(semaphore.tryAcquire()).as("put aside").isFalse();
    semaphore.release(2);
    polls.poll(all).close();
    assertThat(semaphore.availablePermits()).isEqualTo(3);
  }

  @Test
  void aLargeRequestThatGivesUp_returnsWhatItHasGathered_andCallsTheNext() {
    var semaphore = Semaphore.barging(3);
    assertThat(semaphore.tryAcquire(3)).isTrue();
    var all = semaphore.acquire(3);
    var one = semaphore.acquire();
    var polls = new Polls();
    assertThat(new Polls().poll(all)).isNull();
    assertThat(polls.poll(one)).isNull();
    for (int i = 0; i < OVERTAKERS; i++) {
      semaphore.release();
      assertThat(semaphore.tryAcquire()).isTrue();
    }
    semaphore.release();
    all.drop();
    assertThat(polls.wakes()).isEqualTo(1);
    polls.poll(one).close();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    assertThatThrownBy(() -> semaphore.release(3)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void close_refusesThoseWhoWait_andKeepsThePermits() {
    var semaphore = Semaphore.barging(2);
    assertThat(semaphore.tryAcquire()).isTrue();
    var both = semaphore.acquire(2);
    assertThat(new Polls().poll(both)).isNull();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    semaphore.close();
    assertThatThrownBy(() -> Polls.now(both)).isInstanceOf(SemaphoreClosedException.class);
    semaphore.release();
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    assertThat(semaphore.tryAcquire()).isFalse();
  }

  @Test
  void tasks_excludeEachOther() {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var mutex = Mutex.barging();
      var count = new int[1];
      var tasks = new ArrayList<JoinHandle<?>>();
      for (int i = 0; i < 8; i++) {
        int[] left = {2_000};
        tasks.add(
            rt.spawn(
                Futures.loop(() ->
                    mutex
                        .lock()
                        .map(guard -> {
                          count[0]++;
                          guard.close();
                          return --left[0] > 0 ? Futures.Step.MORE : Futures.Step.STOP;
                        }))));
      }
      for (var task : tasks) {
        Await.until(task::isDone, "the tasks to count");
      }
      assertThat(count[0]).isEqualTo(16_000);
      assertFree(mutex);
    }
  }

  @Test
  void threads_thatTry_loseNothing() throws Exception {
    var semaphore = Semaphore.barging(2);
    Race.run(
        racer -> spin(semaphore),
        racer -> spin(semaphore),
        racer -> {
          for (int i = 0; i < 5_000; i++) {
            semaphore.acquire(2).await().close();
          }
        });
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    assertThat(semaphore.hasWaiters()).isFalse();
  }

  private static void spin(Semaphore semaphore) {
    for (int i = 0; i < 20_000; i++) {
      if (semaphore.tryAcquire()) {
        semaphore.release();
      }
    }
  }
}
