package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.DropProbe;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@Strict
class OnceCellTest {
  private final Context cx = Context.of(() -> {});

  @Test
  void set_worksOnce() {
    var cell = OnceCell.<String>create();
    assertThat(cell.get()).isNull();
    assertThat(cell).hasToString("OnceCell[empty]");
    assertThat(cell.set("a")).isTrue();
    assertThat(cell.set("b")).isFalse();
    assertThat(cell.get()).isEqualTo("a");
    assertThat(cell).hasToString("OnceCell[a]");
    assertThat(OnceCell.of(7).get()).isEqualTo(7);
  }

  @Test
  void getOrInit_runsTheInitialiserOnce() {
    var cell = OnceCell.<String>create();
    var calls = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      assertThat(
              cell.getOrInit(
                      () -> {
                        calls.incrementAndGet();
                        return "made";
                      })
                  .await())
          .isEqualTo("made");
    }
    assertThat(calls).hasValue(1);
    assertThat(cell.set("late")).isFalse();
  }

  @Test
  void getOrInit_thatThrows_leavesTheCellEmpty() {
    var cell = OnceCell.<String>create();
    assertThatThrownBy(() ->
            cell.getOrInit(
                    () -> {
                      throw new IllegalStateException("on purpose");
                    })
                .await())
        .hasMessage("on purpose");
    assertThatThrownBy(() ->
            cell.getOrInit(
                    () -> {
                      throw new AssertionError("an error too");
                    })
                .await())
        .hasMessage("an error too");
    assertThat(cell).hasToString("OnceCell[empty]");
    assertThat(cell.getOrInit(() -> "second").await()).isEqualTo("second");
  }

  @Test
  @SuppressWarnings("NullAway") // null on purpose
  void nulls_areRefused() {
    var cell = OnceCell.<String>create();
    assertThatThrownBy(() -> cell.set(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> OnceCell.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> cell.getOrInit(() -> null).await())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("of a OnceCell made null");
    assertThatThrownBy(() -> cell.getOrInitAsync(() -> null).await())
        .isInstanceOf(NullPointerException.class);
    assertThat(cell.set("ok")).isTrue();
  }

  @Test
  void getOrInitAsync_othersWait_andGetTheSameValue() throws Exception {
    var cell = OnceCell.<String>create();
    var gate = Notify.create();
    var maker = cell.getOrInitAsync(() -> gate.notified().map(done -> "made"));
    var waker = new Polls();
    var other = cell.getOrInit(() -> "other");
    assertThat(maker.poll(waker.context())).isNull();
    assertThat(waker.poll(other)).isNull();
    assertThat(maker).hasToString("the initialiser of OnceCell[being initialised]");
    assertThat(other).hasToString("the value of OnceCell[being initialised]");
    assertThat(cell.get()).isNull();
    assertThat(cell.set("outsider")).isFalse();
    gate.notifyOne();
    assertThat(maker.poll(cx)).isEqualTo("made");
    assertThat(waker.wakes()).isEqualTo(2);
    assertThat(Polls.now(other)).isEqualTo("made");
    assertThatThrownBy(() -> Polls.now(other)).hasMessageContaining("polled after completion");
  }

  @Test
  void failedInitialiser_givesTheTurnToTheOldestWaiter() throws Exception {
    var cell = OnceCell.<String>create();
    var gate = Notify.create();
    var failing =
        cell.getOrInitAsync(() ->
            gate.notified().andThen(done -> Futures.<String>failed(new IOException("on purpose"))));
    var waker = new Polls();
    var second = cell.getOrInit(() -> "second");
    var third = cell.getOrInit(() -> "third");
    assertThat(failing.poll(cx)).isNull();
    assertThat(waker.poll(second)).isNull();
    assertThat(waker.poll(third)).isNull();
    gate.notifyOne();
    assertThatThrownBy(() -> failing.poll(cx)).hasRootCauseInstanceOf(IOException.class);
    assertThat(waker.wakes()).isEqualTo(1);
    assertThat(waker.poll(third)).as("not its turn").isNull();
    assertThat(Polls.now(second)).isEqualTo("second");
    assertThat(waker.wakes()).isEqualTo(2);
    assertThat(Polls.now(third)).isEqualTo("second");
  }

  @Test
  void droppedInitialiser_isDropped_andLetsTheNextTry() throws Exception {
    var cell = OnceCell.<String>create();
    var probe = DropProbe.<String>never("initialiser");
    var dropped = cell.getOrInitAsync(() -> probe);
    var waker = new Polls();
    var next = cell.getOrInit(() -> "next");
    assertThat(dropped.poll(cx)).isNull();
    assertThat(waker.poll(next)).isNull();
    dropped.drop();
    probe.verifyReleased();
    assertThat(waker.wakes()).isEqualTo(1);
    assertThat(Polls.now(next)).isEqualTo("next");
  }

  @Test
  void dropOfAWaiter_atEveryPoint_losesNoTurn() {
    DropExplorer.explore(() -> {
      var cell = OnceCell.<String>create();
      var first = cell.getOrInitAsync(Futures::pending);
      var last = cell.getOrInit(() -> "last");
      assertPending(first);
      return DropExplorer.scenario(cell.getOrInit(() -> "subject"))
          .step("a third waits", () -> assertThat(new Polls().poll(last)).isNull())
          .step("the first gives up", first::drop)
          .check(end -> {
            String value = Polls.now(last);
            assertThat(value).isEqualTo(end.dropped() ? "last" : "subject");
            assertThat(cell.get()).isEqualTo(value);
          });
    });
  }

  @Test
  void dropOfAnInitialiser_atEveryPoint_leavesTheCellUsable() {
    DropExplorer.explore(() -> {
      var cell = OnceCell.<String>create();
      var gate = Notify.create();
      var made = new AtomicReference<DropProbe<String>>();
      return DropExplorer.scenario(
              cell.getOrInitAsync(() -> {
                made.set(DropProbe.value("initialiser", 1, "subject"));
                return gate.notified().andThen(done -> made.get());
              }))
          .step("go on", gate::notifyOne)
          .check(end -> {
            if (made.get() != null) {
              made.get().verify();
            }
            String value = Polls.now(cell.getOrInit(() -> "other"));
            assertThat(value).isEqualTo(end.dropped() ? "other" : "subject");
            assertThat(cell.initialising()).isNull();
          });
    });
  }

  private static void assertPending(Future<?> future) {
    try {
      assertThat(future.poll(Context.of(() -> {}))).isNull();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tasks_agreeOnOneValue_whoeverFails() {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      for (int round = 0; round < 50; round++) {
        var cell = OnceCell.<Integer>create();
        var calls = new AtomicInteger();
        var tasks = new ArrayList<JoinHandle<Integer>>();
        for (int t = 0; t < 8; t++) {
          Future<Integer> init =
              cell.getOrInitAsync(() ->
                  Task.yieldNow()
                      .map(done -> {
                        int call = calls.incrementAndGet();
                        if (call < 4) {
                          throw new IOException("on purpose");
                        }
                        return call;
                      }));
          tasks.add(rt.spawn(init.recover(failure -> -1)));
        }
        int failed = 0;
        for (var task : tasks) {
          int value = task.await();
          if (value == -1) {
            failed++;
          } else {
            assertThat(value).isEqualTo(4);
          }
        }
        assertThat(failed).isEqualTo(3);
        assertThat(calls).hasValue(4);
      }
    }
  }

  @Test
  void set_fromManyThreads_hasOneWinner() throws Exception {
    for (int round = 0; round < 200; round++) {
      var cell = OnceCell.<Integer>create();
      var winners = new AtomicInteger();
      var winner = new AtomicInteger();
      Race.run(
          3,
          index -> {
            if (cell.set(index)) {
              winners.incrementAndGet();
              winner.set(index);
            }
            assertThat(cell.get()).isNotNull();
          });
      assertThat(winners).hasValue(1);
      assertThat(cell.get()).isEqualTo(winner.get());
    }
  }

  @Test
  void get_allocatesNothing() {
    var cell = OnceCell.of("x");
    Runnable reads =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            cell.get();
          }
        };
    reads.run();
    assertThat(Memory.allocatedByEach(reads)).isZero();
  }
}
