package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
class BarrierTest {

  @Test
  void arrive_ofTheLast_releasesAll_andMakesItTheLeader() {
    var barrier = Barrier.create("phase", 3);
    var waker = new Polls();
    var a = barrier.arrive();
    var b = barrier.arrive();
    assertThat(waker.poll(a)).isNull();
    assertThat(waker.poll(b)).isNull();
    assertThat(waker.poll(b)).as("a second poll is no second arrival").isNull();
    assertThat(a).hasToString("the others at Barrier[phase, 2 of 3 arrived, meeting 0]");
    assertThat(Polls.now(barrier.arrive())).isEqualTo(Arrival.LEADER);
    assertThat(waker.wakes()).isEqualTo(2);
    assertThat(Polls.now(a)).isEqualTo(Arrival.FOLLOWER);
    assertThat(Polls.now(b).isLeader()).isFalse();
    assertThat(barrier.meetings()).isEqualTo(1);
    assertThat(barrier.arrived()).isZero();
    assertThatThrownBy(() -> Polls.now(b)).hasMessageContaining("polled after completion");
  }

  @Test
  void nextGeneration_beginsBeforeTheLastOneHasNoticed() {
    var barrier = Barrier.create(2);
    var waker = new Polls();
    var slow = barrier.arrive();
    waker.poll(slow);
    assertThat(Polls.now(barrier.arrive()).isLeader()).isTrue();
    var next = barrier.arrive();
    assertThat(waker.poll(next)).isNull();
    assertThat(Polls.now(slow)).isEqualTo(Arrival.FOLLOWER);
    assertThat(waker.poll(next)).isNull();
    assertThat(Polls.now(barrier.arrive()).isLeader()).isTrue();
    assertThat(Polls.now(next)).isEqualTo(Arrival.FOLLOWER);
    assertThat(barrier.meetings()).isEqualTo(2);
  }

  @Test
  void barrierOfOne_neverWaits() {
    var barrier = Barrier.create(1);
    for (int i = 1; i <= 3; i++) {
      assertThat(Polls.now(barrier.arrive())).isEqualTo(Arrival.LEADER);
      assertThat(barrier.meetings()).isEqualTo(i);
    }
    assertThat(barrier.tryArrive()).isTrue();
  }

  @Test
  void tryArrive_countsOnlyAsTheLast() {
    var barrier = Barrier.create(2);
    assertThat(barrier.tryArrive()).isFalse();
    assertThat(barrier.arrived()).isZero();
    var first = barrier.arrive();
    assertThat(new Polls().poll(first)).isNull();
    assertThat(barrier.tryArrive()).isTrue();
    assertThat(Polls.now(first)).isEqualTo(Arrival.FOLLOWER);
  }

  @Test
  void drop_takesTheArrivalBack() {
    var barrier = Barrier.create(2);
    var waker = new Polls();
    var gone = barrier.arrive();
    waker.poll(gone);
    gone.drop();
    assertThat(barrier.arrived()).isZero();
    var a = barrier.arrive();
    assertThat(waker.poll(a)).isNull();
    assertThat(Polls.now(barrier.arrive()).isLeader()).isTrue();
    assertThat(waker.wakes()).isEqualTo(1);
    Polls.now(a);
  }

  @Test
  void drop_atEveryPoint_leavesNoArrivalBehind() {
    DropExplorer.explore(() -> {
      var barrier = Barrier.create(2);
      var other = barrier.arrive();
      var third = barrier.arrive();
      var leaders = new AtomicInteger();
      return DropExplorer.scenario(barrier.arrive())
          .step("another arrives", () -> count(new Polls().poll(other), leaders))
          .step("a third arrives", () -> count(new Polls().poll(third), leaders))
          .check(end -> {
            count(end.value(), leaders);
            // Two of the three complete a meeting; a survivor waits for another one.
            assertThat(barrier.meetings()).isEqualTo(1);
            assertThat(leaders).hasValue(1);
            other.drop();
            third.drop();
            assertThat(barrier.arrived()).isZero();
          });
    });
  }

  private static void count(@Nullable Arrival arrival, AtomicInteger n) {
    if (arrival == Arrival.LEADER) {
      n.incrementAndGet();
    }
  }

  @Test
  void badParties_areRefused() {
    for (int bad : new int[] {0, -1}) {
      assertThatThrownBy(() -> Barrier.create(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a barrier for " + bad + " parties: at least one");
    }
  }

  @Test
  void tasks_advanceInStep_withOneLeaderEach() {
    int parties = 4;
    int phases = 300;
    var barrier = Barrier.create(parties);
    var arrivals = new AtomicIntegerArray(phases);
    var leaders = new AtomicIntegerArray(phases);
    var early = new AtomicInteger();
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var tasks = new ArrayList<JoinHandle<?>>();
      for (int t = 0; t < parties; t++) {
        int[] phase = {0};
        tasks.add(
            rt.spawn(
                Futures.loop(() -> {
                  int now = phase[0]++;
                  arrivals.incrementAndGet(now);
                  return barrier
                      .arrive()
                      .map(arrival -> {
                        if (arrival.isLeader()) {
                          leaders.incrementAndGet(now);
                        }
                        if (arrivals.get(now) != parties) {
                          early.incrementAndGet();
                        }
                        return now + 1 < phases ? Futures.Step.MORE : Futures.Step.STOP;
                      });
                })));
      }
      tasks.forEach(JoinHandle::await);
    }
    assertThat(early).hasValue(0);
    assertThat(barrier.meetings()).isEqualTo(phases);
    for (int i = 0; i < phases; i++) {
      assertThat(leaders.get(i)).isEqualTo(1);
    }
  }
}
