package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class NotifyTest {

  @Test
  void notifyOne_toNobody_isKeptOnce() {
    var notify = Notify.create();
    assertThat(notify.tryNotified()).isFalse();
    notify.notifyOne();
    notify.notifyOne();
    assertThat(notify).hasToString("Notify[one notification kept]");
    assertThat(Polls.now(notify.notified())).isEqualTo(Done.DONE);
    assertThat(notify.tryNotified()).isFalse();
    notify.notifyOne();
    assertThat(notify.tryNotified()).isTrue();
    assertThat(notify).hasToString("Notify[nothing kept]");
  }

  @Test
  void notifyOne_wakesTheOldest_andOnlyThat() {
    var notify = Notify.create("n");
    var order = new ArrayList<Integer>();
    var first = notify.notified();
    var second = notify.notified();
    assertThat(first.poll(Context.of(() -> order.add(1)))).isNull();
    assertThat(second.poll(Context.of(() -> order.add(2)))).isNull();
    assertThat(second).hasToString("a notification of Notify[n, tasks waiting]");
    notify.notifyOne();
    assertThat(order).containsExactly(1);
    assertThat(new Polls().poll(second)).isNull();
    Polls.now(first);
    notify.notifyOne();
    Polls.now(second);
    assertThat(notify.hasWaiters()).isFalse();
    assertThat(notify.tryNotified()).isFalse();
    assertThatThrownBy(() -> Polls.now(second)).hasMessageContaining("was already awaited or dropped; make a new one");
  }

  @Test
  void notifyWaiters_wakesAllWhoWait_andKeepsNothing() {
    var notify = Notify.create();
    notify.notifyWaiters();
    assertThat(notify.tryNotified()).isFalse();
    var waker = new Polls();
    var a = notify.notified();
    var b = notify.notified();
    waker.poll(a);
    waker.poll(b);
    notify.notifyWaiters();
    assertThat(waker.wakes()).isEqualTo(2);
    var later = notify.notified();
    assertThat(waker.poll(later)).as("it came afterwards").isNull();
    later.drop();
    Polls.now(a);
    b.drop();
    assertThat(notify.tryNotified()).as("a notification for all passes to nobody").isFalse();
    assertThat(notify.hasWaiters()).isFalse();
  }

  @Test
  void notifyWaiters_reachesWhatWasMadeBefore_alsoUnpolled() {
    var notify = Notify.create();
    var before = notify.notified();
    var other = notify.notified();
    notify.notifyWaiters(); // nobody waits in the queue
    assertThat(notify.hasWaiters()).as("an unpolled future holds nothing").isFalse();
    notify.notifyOne();
    Polls.now(before);
    assertThat(notify.tryNotified()).as("it took none that is kept").isTrue();
    other.drop();
    assertThat(notify.tryNotified()).isFalse();
    assertThatThrownBy(() -> Polls.now(before)).hasMessageContaining("was already awaited or dropped; make a new one");
  }

  @Test
  void notifyWaiters_whileOthersWait_reachesTheUnpolledToo() {
    var notify = Notify.create();
    var waker = new Polls();
    var before = notify.notified();
    var waiting = notify.notified();
    waker.poll(waiting);
    notify.notifyWaiters();
    Polls.now(before);
    Polls.now(waiting);
    assertThat(notify).hasToString("Notify[nothing kept]");
  }

  @Test
  void aForgottenFuture_swallowsNothing() {
    var notify = Notify.create();
    for (int i = 0; i < 3; i++) {
      var forgotten = notify.notified();
      assertThat(forgotten).isNotNull();
    }
    notify.notifyOne();
    Polls.now(notify.notified());
  }

  @Test
  void drop_atEveryPoint_aroundNotifyWaiters_losesNoNotification() {
    DropExplorer.explore(() -> {
      var notify = Notify.create();
      return DropExplorer.scenario(notify.notified())
          .step("notify one", notify::notifyOne)
          .step("notify all", notify::notifyWaiters)
          .step("notify one again", notify::notifyOne)
          .check(end -> {
            assertThat(notify.hasWaiters()).isFalse();
            assertThat(notify.tryNotified()).as("the last had nobody else").isTrue();
          });
    });
  }

  @Test
  void drop_ofTheNotified_passesItOn_orKeepsIt() {
    var notify = Notify.create();
    var waker = new Polls();
    var first = notify.notified();
    var second = notify.notified();
    waker.poll(first);
    waker.poll(second);
    notify.notifyOne();
    first.drop();
    assertThat(waker.wakes()).isEqualTo(2);
    second.drop();
    assertThat(notify.tryNotified()).isTrue();
  }

  @Test
  void drop_atEveryPoint_losesNoNotification() {
    DropExplorer.explore(() -> {
      var notify = Notify.create();
      var received = new AtomicInteger();
      var other = notify.notified();
      return DropExplorer.scenario(notify.notified())
          .step("notify", notify::notifyOne)
          .step(
              "another asks",
              () -> {
                if (new Polls().poll(other) != null) {
                  received.incrementAndGet();
                }
              })
          .step("notify again", notify::notifyOne)
          .check(end -> {
            end.ifValue(done -> received.incrementAndGet());
            if (received.get() == 0 || notify.hasWaiters()) {
              Polls.now(other);
              received.incrementAndGet();
            }
            // Two were sent; those that met a kept one became one with it.
            assertThat(received.get() + (notify.tryNotified() ? 1 : 0)).isBetween(1, 2);
            assertThat(notify.hasWaiters()).isFalse();
          });
    });
  }

  @Test
  void drop_atEveryPoint_withTwoWaiters_bothNotificationsArrive() {
    DropExplorer.explore(() -> {
      var notify = Notify.create();
      var other = notify.notified();
      assertThat(new Polls().poll(other)).isNull();
      return DropExplorer.scenario(notify.notified())
          .step("notify", notify::notifyOne)
          .step("the other takes it", () -> Polls.now(other))
          .step("notify again", notify::notifyOne)
          .check(end -> {
            assertThat(notify.hasWaiters()).isFalse();
            assertThat(notify.tryNotified()).isEqualTo(end.dropped());
          });
    });
  }

  @Test
  void consumers_takeEverything_whenEachPutIsNotified() {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var notify = Notify.create();
      var queue = new ConcurrentLinkedQueue<Integer>();
      var taken = new AtomicInteger();
      int items = 2_000;
      var consumers = new ArrayList<JoinHandle<?>>();
      for (int c = 0; c < 3; c++) {
        consumers.add(
            rt.spawn(
                Futures.loop(() -> {
                  for (Integer i = queue.poll(); i != null; i = queue.poll()) {
                    if (taken.incrementAndGet() == items) {
                      notify.notifyOne(); // the end goes round from one to the next
                    }
                  }
                  if (taken.get() == items) {
                    notify.notifyOne();
                    return Futures.ready(Futures.Step.STOP);
                  }
                  return notify.notified().map(done -> Futures.Step.MORE);
                })));
      }
      for (int i = 0; i < items; i++) {
        queue.add(i);
        notify.notifyOne();
      }
      consumers.forEach(JoinHandle::await);
      assertThat(taken).hasValue(items);
    }
  }

  @Test
  void notify_allocatesNothing_withOrWithoutWaiters() {
    var notify = Notify.create();
    var cx = new Polls().context();
    var waits = new ArrayList<UncheckedFuture<Done>>();
    Runnable all =
        () -> {
          notify.notifyOne();
          notify.notifyOne();
          notify.tryNotified();
          for (int i = 0; i < waits.size(); i++) {
            waits.get(i).poll(cx);
          }
          notify.notifyOne();
          notify.notifyWaiters();
        };
    for (int round = 0; round < 2; round++) {
      waits.clear();
      for (int i = 0; i < 8; i++) {
        waits.add(notify.notified());
      }
      long bytes = Memory.allocatedBy(all);
      if (round == 1) {
        assertThat(bytes).isZero();
      }
    }
  }
}
