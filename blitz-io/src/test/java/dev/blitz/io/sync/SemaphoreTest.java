package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class SemaphoreTest {

  private static void assertWhole(Semaphore semaphore, int permits) {
    assertThat(semaphore.hasWaiters()).isFalse();
    assertThat(semaphore.waiting.isEmpty()).isTrue();
    assertThat(semaphore.availablePermits()).isEqualTo(permits);
  }

  @Test
  void tryAcquire_takesWhatIsThere_andNoMore() {
    var semaphore = Semaphore.create(3);
    assertThat(semaphore.tryAcquire(2)).isTrue();
    assertThat(semaphore.tryAcquire(2)).isFalse();
    assertThat(semaphore.tryAcquire()).isTrue();
    assertThat(semaphore.tryAcquire()).isFalse();
    semaphore.release(3);
    assertWhole(semaphore, 3);
  }

  @Test
  void acquire_isLazy_andReadyAtOnceWhenPermitsAreThere() {
    var semaphore = Semaphore.create(2);
    var future = semaphore.acquire(2);
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    try (var permit = Polls.now(future)) {
      assertThat(permit.permits()).isEqualTo(2);
      assertThat(semaphore.availablePermits()).isZero();
    }
    assertWhole(semaphore, 2);
  }

  @Test
  void release_handsStraightToTheOldest_soNobodyOvertakes() {
    var semaphore = Semaphore.create(1);
    assertThat(semaphore.tryAcquire()).isTrue();
    var waker = new Polls();
    var first = semaphore.acquire();
    var second = semaphore.acquire();
    assertThat(waker.poll(first)).isNull();
    assertThat(waker.poll(second)).isNull();
    semaphore.release();
    assertThat(waker.wakes()).isEqualTo(1);
    assertThat(semaphore.tryAcquire()).as("it has been handed over").isFalse();
    assertThat(waker.poll(second)).isNull();
    var held = Polls.now(first);
    held.close();
    assertThat(waker.wakes()).isEqualTo(2);
    Polls.now(second).close();
    assertWhole(semaphore, 1);
  }

  @Test
  void acquireOfMany_gathersPermits_whileYoungerOnesWait() {
    var semaphore = Semaphore.create(3);
    assertThat(semaphore.tryAcquire(2)).isTrue();
    var waker = new Polls();
    var many = semaphore.acquire(3);
    var one = semaphore.acquire();
    assertThat(waker.poll(many)).isNull();
    assertThat(waker.poll(one)).as("one permit is free but put aside").isNull();
    assertThat(semaphore.availablePermits()).isZero();
    semaphore.release();
    assertThat(waker.wakes()).isZero();
    semaphore.release();
    assertThat(waker.wakes()).isEqualTo(1);
    Polls.now(many).close();
    Polls.now(one).close();
    assertWhole(semaphore, 3);
  }

  @Test
  void releaseOfMany_servesSeveral_inOrder_andKeepsTheRest() {
    var semaphore = Semaphore.create(5);
    assertThat(semaphore.tryAcquire(5)).isTrue();
    var order = new ArrayList<Integer>();
    var waits = List.of(semaphore.acquire(1), semaphore.acquire(2), semaphore.acquire(1));
    for (int i = 0; i < waits.size(); i++) {
      int index = i;
      assertThat(waits.get(i).poll(Context.of(() -> order.add(index)))).isNull();
    }
    semaphore.release(5);
    assertThat(order).containsExactly(0, 1, 2);
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    waits.forEach(wait -> Polls.now(wait).close());
    assertWhole(semaphore, 5);
  }

  @Test
  void drop_atEveryPoint_conservesPermits() {
    DropExplorer.explore(() -> {
      var semaphore = Semaphore.create(2);
      semaphore.tryAcquire(2);
      return DropExplorer.scenario(semaphore.acquire(2))
          .step("release one", semaphore::release)
          .step("release another", semaphore::release)
          .check(end -> {
            end.ifValue(Semaphore.Permit::close);
            assertWhole(semaphore, 2);
          });
    });
  }

  @Test
  void drop_betweenOtherWaiters_passesOnWhatItHad() {
    DropExplorer.explore(() -> {
      var semaphore = Semaphore.create(2);
      semaphore.tryAcquire(2);
      var waker = new Polls();
      var before = semaphore.acquire();
      var after = semaphore.acquire();
      assertThat(waker.poll(before)).isNull();
      return DropExplorer.scenario(semaphore.acquire(2))
          .step("another waits", () -> assertThat(waker.poll(after)).isNull())
          .step("release one", semaphore::release)
          .step("release another", semaphore::release)
          .step("the first is through", () -> Polls.now(before).close())
          .check(end -> {
            end.ifValue(Semaphore.Permit::close);
            Polls.now(after).close();
            assertWhole(semaphore, 2);
          });
    });
  }

  @Test
  void drop_aroundClose_conservesPermits() {
    DropExplorer.explore(() -> {
      var semaphore = Semaphore.create(2);
      semaphore.tryAcquire(1);
      return DropExplorer.scenario(semaphore.acquire(2))
          .step("close", semaphore::close)
          .step("release", semaphore::release)
          .check(end -> {
            assertThat(end.value()).isNull();
            if (!end.dropped()) {
              assertThat(end.failure()).isInstanceOf(SemaphoreClosedException.class);
            }
            assertWhole(semaphore, 2);
          });
    });
  }

  @Test
  void close_refusesAll_andKeepsWhatIsOutValid() {
    var semaphore = Semaphore.create("jobs", 2);
    var held = Polls.now(semaphore.acquire());
    var waker = new Polls();
    var waiting = semaphore.acquire(2);
    assertThat(waker.poll(waiting)).isNull();
    semaphore.close();
    semaphore.close();
    assertThat(semaphore.isClosed()).isTrue();
    assertThat(waker.wakes()).isEqualTo(1);
    assertThatThrownBy(() -> waker.poll(waiting))
        .isInstanceOf(SemaphoreClosedException.class)
        .hasMessage("Semaphore[jobs, closed, 1 of 2 permits available] was closed");
    assertThatThrownBy(() -> waker.poll(semaphore.acquire()))
        .isInstanceOf(SemaphoreClosedException.class);
    assertThat(semaphore.tryAcquire()).isFalse();
    held.close();
    assertWhole(semaphore, 2);
  }

  @Test
  void permit_splitsMergesAndForgets() {
    var semaphore = Semaphore.create(5);
    var all = Polls.now(semaphore.acquire(5));
    var two = all.split(2);
    assertThat(all.permits()).isEqualTo(3);
    two.close();
    two.close();
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    var one = all.split(1);
    one.merge(all);
    assertThat(one.permits()).isEqualTo(3);
    assertThat(all.permits()).isZero();
    all.close();
    assertThat(semaphore.availablePermits()).isEqualTo(2);
    one.forget();
    one.close();
    assertWhole(semaphore, 2);
    assertThat(semaphore.forget(1)).isEqualTo(1);
    assertThat(semaphore.forget(7)).isEqualTo(1);
    assertThat(semaphore.forget(7)).isZero();
    semaphore.release(5);
    assertWhole(semaphore, 5);
  }

  @Test
  void permit_refusesWhatCannotBe() {
    var semaphore = Semaphore.create("s", 3);
    var permit = Polls.now(semaphore.acquire(2));
    var foreign = Polls.now(Semaphore.create(1).acquire());
    assertThatThrownBy(() -> permit.split(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("split(2) of 2 permits of Semaphore[s,");
    assertThatThrownBy(() -> permit.split(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> permit.merge(foreign)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> permit.merge(permit)).isInstanceOf(IllegalArgumentException.class);
    permit.close();
    assertThatThrownBy(() -> permit.split(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> permit.merge(foreign)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(permit::forget).isInstanceOf(IllegalStateException.class);
    assertThat(permit).hasToString("2 permits given back, of " + semaphore);
  }

  @Test
  void badCounts_areRefused_andSayWhatToDo() {
    var semaphore = Semaphore.create("s", 3);
    assertThatThrownBy(() -> Semaphore.create(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Semaphore.create(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Semaphore.create(3, 2)).isInstanceOf(IllegalArgumentException.class);
    for (int bad : new int[] {-1, 0, 4}) {
      assertThatThrownBy(() -> semaphore.acquire(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "acquire(%d) on Semaphore[s, 3 of 3 permits available]: from 1 to 3, more can never"
                      .formatted(bad)
                  + " be available");
      assertThatThrownBy(() -> semaphore.tryAcquire(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> semaphore.release(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.forget(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void releaseBeyondTheMaximum_isAnError_andChangesNothing() {
    var semaphore = Semaphore.create("s", 3);
    semaphore.tryAcquire();
    assertThatThrownBy(() -> semaphore.release(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "release(2) on Semaphore[s, 2 of 3 permits available]: only 1 of its permits are out;"
                + " something was released twice");
    semaphore.tryAcquire();
    var waker = new Polls();
    var waiting = semaphore.acquire(2);
    assertThat(waker.poll(waiting)).isNull();
    assertThatThrownBy(() -> semaphore.release(3)).isInstanceOf(IllegalStateException.class);
    semaphore.release(2);
    Polls.now(waiting).close();
    assertWhole(semaphore, 3);
  }

  @Test
  void mergeAfterAReleaseTooMany_isRefused_insteadOfOverflowing() {
    var semaphore = Semaphore.create(Integer.MAX_VALUE);
    var first = Polls.now(semaphore.acquire(Integer.MAX_VALUE));
    semaphore.release(Integer.MAX_VALUE);
    var second = Polls.now(semaphore.acquire(Integer.MAX_VALUE));
    assertThatThrownBy(() -> first.merge(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("something was released twice");
    assertThat(first.permits()).isEqualTo(Integer.MAX_VALUE);
    assertThat(second.permits()).isEqualTo(Integer.MAX_VALUE);
    second.close();
    assertWhole(semaphore, Integer.MAX_VALUE);
    assertThatThrownBy(first::close).hasMessageContaining("something was released twice");
    assertWhole(semaphore, Integer.MAX_VALUE);
  }

  @Test
  void mergeBeyondTheMaximum_isRefused_onSmallSemaphoresToo() {
    var semaphore = Semaphore.create(2);
    var a = Polls.now(semaphore.acquire(2));
    semaphore.release();
    var b = Polls.now(semaphore.acquire());
    assertThatThrownBy(() -> a.merge(b)).isInstanceOf(IllegalStateException.class);
    assertThat(b.permits()).isEqualTo(1);
  }

  @Test
  void releaseUpTo_stopsAtTheMaximum() {
    var semaphore = Semaphore.create(0, 5);
    assertThat(semaphore.releaseUpTo(3)).isEqualTo(3);
    assertThat(semaphore.releaseUpTo(3)).isEqualTo(2);
    assertThat(semaphore.releaseUpTo(Integer.MAX_VALUE)).isZero();
    assertWhole(semaphore, 5);
    assertThatThrownBy(() -> semaphore.releaseUpTo(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void releaseUpTo_servesThoseWhoWait_andNoMoreThanThereCanBe() {
    var semaphore = Semaphore.create(1, 4);
    var waker = new Polls();
    var three = semaphore.acquire(3);
    var four = semaphore.acquire(4);
    assertThat(waker.poll(three)).isNull();
    assertThat(waker.poll(four)).isNull();
    assertThat(semaphore.releaseUpTo(9)).as("one is gathered, three can be out").isEqualTo(3);
    Polls.now(three).forget();
    assertThat(waker.poll(four)).as("it has gathered one").isNull();
    assertThat(semaphore.releaseUpTo(9)).isEqualTo(3);
    Polls.now(four).forget();
    assertWhole(semaphore, 0);
    semaphore.close();
    assertThat(semaphore.releaseUpTo(9)).isEqualTo(4);
  }

  @Test
  void growingSemaphore_addsPermitsUpToItsMaximum() {
    var semaphore = Semaphore.create(0, 2);
    var waiting = semaphore.acquire();
    assertThat(new Polls().poll(waiting)).isNull();
    semaphore.release(2);
    Polls.now(waiting).forget();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    semaphore.release();
    assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void poll_afterTheEnd_isAnError() {
    var semaphore = Semaphore.create(1);
    var future = semaphore.acquire();
    var permit = Polls.now(future);
    assertThatThrownBy(() -> Polls.now(future))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("polled after completion");
    permit.close();
  }

  @Test
  void poll_withoutBudget_takesNothing() {
    var semaphore = Semaphore.create(1);
    var future = semaphore.acquire();
    Context broke =
        new Context() {
          @Override
          public Waker waker() {
            return () -> {};
          }

          @Override
          public boolean proceed() {
            return false;
          }
        };
    assertThat(future.poll(broke)).isNull();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    future.drop();
    assertWhole(semaphore, 1);
  }

  @Test
  void toString_saysWhatIsWaitedFor() {
    var semaphore = Semaphore.create("slots", 3);
    assertThat(semaphore).hasToString("Semaphore[slots, 3 of 3 permits available]");
    semaphore.tryAcquire();
    var wait = semaphore.acquire(3);
    new Polls().poll(wait);
    assertThat(wait)
        .hasToString("3 permits of Semaphore[slots, 0 of 3 permits available, others waiting]");
    wait.drop();
  }

  @Test
  void permit_closedOnSeveralThreadsAtOnce_countsOnce() throws Exception {
    var semaphore = Semaphore.create(4);
    for (int i = 0; i < 500; i++) {
      var permit = Polls.now(semaphore.acquire());
      Race.run(2, index -> permit.close());
      assertWhole(semaphore, 4);
    }
  }

  @Test
  void tasks_neverExceedThePermits() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var semaphore = Semaphore.create(3);
      var inside = new AtomicInteger();
      var most = new AtomicInteger();
      var tasks = new ArrayList<JoinHandle<?>>();
      for (int i = 0; i < 40; i++) {
        int need = 1 + i % 3;
        tasks.add(
            rt.spawn(
                semaphore
                    .acquire(need)
                    .andThen(permit -> {
                      most.accumulateAndGet(inside.addAndGet(need), Math::max);
                      return Task.yieldNow()
                          .map(done -> {
                            inside.addAndGet(-need);
                            permit.close();
                            return done;
                          });
                    })));
      }
      for (var task : tasks) {
        task.await();
      }
      assertThat(most.get()).isBetween(1, 3);
      assertWhole(semaphore, 3);
    }
  }

  @Test
  void tryAcquireAndRelease_allocateNothing() {
    var semaphore = Semaphore.create(2);
    Runnable uncontended =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            semaphore.tryAcquire();
            semaphore.release();
          }
        };
    uncontended.run();
    assertThat(Memory.allocatedByEach(uncontended)).isZero();
  }

  @Test
  void contendedWait_allocatesItsFutureOnly() {
    var semaphore = Semaphore.create(1);
    var waker = new Polls();
    var cx = waker.context();
    Runnable contended =
        () -> {
          semaphore.tryAcquire();
          var first = semaphore.acquire();
          first.poll(cx);
          first.poll(cx);
          semaphore.release();
          var permit = first.poll(cx);
          if (permit != null) {
            permit.close();
          }
        };
    contended.run();
    assertThat(Memory.allocatedBy(contended)).isLessThanOrEqualTo(48);
  }
}
