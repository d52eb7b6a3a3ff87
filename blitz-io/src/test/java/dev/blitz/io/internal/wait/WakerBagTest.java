package dev.blitz.io.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.task.FakeSchedule;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Strict
class WakerBagTest {

  private static final class Counter implements Waker {
    int wakes;
    boolean obsolete;

    @Override
    public void wake() {
      wakes++;
    }

    @Override
    public boolean isObsolete() {
      return obsolete;
    }
  }

  @Test
  void oneWaker_isItsOwnBag() {
    var waker = new Counter();
    assertThat(WakerBag.with(null, waker)).isSameAs(waker);
    assertThat(WakerBag.with(waker, waker)).isSameAs(waker);
  }

  @Test
  void theSameWaker_isKeptOnce() {
    var a = new Counter();
    var b = new Counter();
    Object bag = WakerBag.with(WakerBag.with(null, a), b);
    assertThat(WakerBag.with(bag, a)).isSameAs(bag);
    assertThat(WakerBag.with(bag, b)).isSameAs(bag);
    assertThat(WakerBag.size(bag)).isEqualTo(2);
  }

  @Test
  void adding_leavesTheOldBagAsItWas() {
    Object two = WakerBag.with(WakerBag.with(null, new Counter()), new Counter());
    Object three = WakerBag.with(two, new Counter());
    assertThat(WakerBag.size(two)).isEqualTo(2);
    assertThat(WakerBag.size(three)).isEqualTo(3);
  }

  @Test
  void wakeAll_wakesEachOnce() {
    List<Counter> wakers = new ArrayList<>();
    Object bag = null;
    for (int i = 0; i < 10; i++) {
      var waker = new Counter();
      wakers.add(waker);
      bag = WakerBag.with(bag, waker);
    }
    WakerBag.wakeAll(bag);
    assertThat(wakers).allMatch(w -> w.wakes == 1);
    WakerBag.wakeAll(null);
  }

  @Test
  void obsoleteWakers_areForgotten() {
    var live = new Counter();
    Object bag = WakerBag.with(null, live);
    int largest = 0;
    for (int i = 0; i < 100_000; i++) {
      var shortLived = new Counter();
      bag = WakerBag.with(bag, shortLived);
      shortLived.obsolete = true;
      largest = Math.max(largest, WakerBag.size(bag));
    }
    assertThat(largest).isLessThanOrEqualTo(3);
    WakerBag.wakeAll(bag);
    assertThat(live.wakes).isEqualTo(1);
  }

  @Test
  void anObsoleteSingle_isReplaced() {
    var old = new Counter();
    old.obsolete = true;
    var fresh = new Counter();
    assertThat(WakerBag.with(old, fresh)).isSameAs(fresh);
  }

  @Test
  void aWakerThatBecomesObsoleteMeanwhile_leavesNoHole() {
    // Obsolete from the second look on: one look decides.
    var fickle =
        new Waker() {
          int looks;

          @Override
          public void wake() {}

          @Override
          public boolean isObsolete() {
            return ++looks > 1;
          }
        };
    var a = new Counter();
    var b = new Counter();
    Object bag = new Waker[] {fickle, a};
    Object next = WakerBag.with(bag, b);
    assertThat((Waker[]) next).containsExactly(fickle, a, b);
    assertThat((Waker[]) WakerBag.with(next, new Counter())).hasSize(3).doesNotContain(fickle);
  }

  @Test
  void aWakerThatThrows_doesNotKeepTheOthersAsleep() throws Exception {
    var after = new Counter();
    Object bag = new Waker[] {new ThrowingWaker(), after};
    var schedule = new FakeSchedule();
    var thread =
        new RuntimeThread(schedule.home(), "waking") {
          @Override
          public boolean isWorker() {
            return true;
          }

          @Override
          public void run() {
            WakerBag.wakeAll(bag);
          }
        };
    thread.start();
    thread.join();
    assertThat(after.wakes).isEqualTo(1);
    assertThat(schedule.told()).extracting(Throwable::getMessage).containsExactly("broken waker");
  }

  private static final class ThrowingWaker implements Waker {
    @Override
    public void wake() {
      throw new IllegalStateException("broken waker");
    }
  }

  @Test
  void manyWakers_costInProportion_andAreAllWokenOldestFirst() {
    List<Integer> woken = new ArrayList<>();
    Object bag = null;
    int many = 100_000;
    for (int i = 0; i < many; i++) {
      int number = i;
      Waker waker = () -> woken.add(number);
      bag = WakerBag.with(bag, waker);
    }
    assertThat(WakerBag.size(bag)).isEqualTo(many);
    WakerBag.wakeAll(bag);
    assertThat(woken).isEqualTo(IntStream.range(0, many).boxed().toList());
  }

  @Test
  void manyWakersThatComeAgainAndAgain_areNotKeptForEver() {
    List<Counter> wakers = IntStream.range(0, 100).mapToObj(i -> new Counter()).toList();
    Object bag = null;
    for (int i = 0; i < 100_000; i++) {
      bag = WakerBag.with(bag, wakers.get(i % 100));
      assertThat(WakerBag.size(bag)).isLessThanOrEqualTo(201);
    }
    WakerBag.wakeAll(bag);
    assertThat(wakers).allMatch(w -> w.wakes >= 1);
    wakers.forEach(w -> w.obsolete = true);
    for (int i = 0; i < 300; i++) {
      bag = WakerBag.with(bag, new Counter());
    }
    assertThat(WakerBag.size(bag)).isLessThanOrEqualTo(301);
  }

  @Test
  void aWakerWhoseIsObsoleteThrows_doesNotKeepOthersFromWaiting() {
    Waker hostile =
        new Waker() {
          @Override
          public void wake() {}

          @Override
          public boolean isObsolete() {
            throw new AssertionError("isObsolete");
          }
        };
    var other = new Counter();
    Object bag = WakerBag.with(WakerBag.with(WakerBag.with(null, hostile), other), new Counter());
    assertThat(WakerBag.size(bag)).isEqualTo(3);
  }
}
