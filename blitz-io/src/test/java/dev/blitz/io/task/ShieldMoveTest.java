package dev.blitz.io.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pending shield that goes on in another task: it protects that one, and no longer the first. */
@Strict
class ShieldMoveTest {
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();
  private final Oneshot<Integer> gate = Oneshot.create();
  private final Future<Integer> shield = Task.shielded(gate.receive());
  private final AtomicReference<JoinHandle<Integer>> second = new AtomicReference<>();
  private final CountDownLatch moved = new CountDownLatch(1);

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Polls the shield, without success, and hands it to a task of its own. */
  private Done move() {
    second.set(rt.spawn(shield));
    moved.countDown();
    return Done.DONE;
  }

  private JoinHandle<Done> stacklessFirst() {
    return rt.spawn(
        Futures.select(List.of(shield, Futures.ready(0)))
            .map(won -> move())
            .andThen(done -> Futures.pending()));
  }

  private JoinHandle<Done> directFirst() {
    return rt.spawn(() -> {
      Futures.select(List.of(shield, Futures.ready(0))).await();
      move();
      return Futures.<Done>pending().await();
    });
  }

  private JoinHandle<Integer> second() throws Exception {
    moved.await();
    JoinHandle<Integer> task = second.get();
    Await.until(() -> rt.dump().toString().contains("shield"), "the shield of the second task");
    return task;
  }

  private void assertMoved(JoinHandle<Done> first) throws Exception {
    JoinHandle<Integer> task = second();
    assertThat(first.cancel()).isTrue();
    Await.until(first::isDone, "the end of the first");
    assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
    assertThat(task.cancel()).as("the second is shielded").isTrue();
    gate.send(7);
    assertThat(task.await()).isEqualTo(7);
  }

  @Test
  void stackless_theFirstCanBeCancelled_andTheSecondKeepsItsValue() throws Exception {
    assertMoved(stacklessFirst());
  }

  @Test
  void direct_theFirstCanBeCancelled_andTheSecondKeepsItsValue() throws Exception {
    assertMoved(directFirst());
  }

  @Test
  void stackless_aCancellationThatWaitedForTheShield_takesEffectWhenItMoves() throws Exception {
    var polled = new CountDownLatch(1);
    JoinHandle<Done> first =
        rt.spawn(
            Futures.select(List.of(shield, Futures.ready(0)))
                .map(won -> {
                  polled.countDown();
                  return Done.DONE;
                })
                .andThen(done -> Futures.pending()));
    polled.await();
    assertThat(first.cancel()).isTrue();
    JoinHandle<Integer> task = rt.spawn(shield);
    assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
    gate.send(7);
    assertThat(task.await()).isEqualTo(7);
  }

  @Test
  void direct_aCancellationThatWaitedForTheShield_takesEffectWhenItMoves() throws Exception {
    var polled = new CountDownLatch(1);
    JoinHandle<Done> first =
        rt.spawn(() -> {
          Futures.select(List.of(shield, Futures.ready(0))).await();
          polled.countDown();
          return Futures.<Done>pending().await();
        });
    polled.await();
    assertThat(first.cancel()).isTrue();
    JoinHandle<Integer> task = rt.spawn(shield);
    assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
    gate.send(7);
    assertThat(task.await()).isEqualTo(7);
  }

  @Test
  void aDropElsewhere_endsTheShieldOfTheTaskThatHadIt() throws Exception {
    for (boolean direct : new boolean[] {false, true}) {
      var polled = new CountDownLatch(1);
      Future<Integer> dropped = Task.shielded(Futures.pending());
      Future<Integer> select =
          Futures.select(List.of(dropped, Futures.ready(0))).map(won -> won.value());
      Future<Done> wait =
          Futures.lazy(
                  () -> {
                    polled.countDown();
                    return Done.DONE;
                  })
              .andThen(done -> Futures.pending());
      JoinHandle<Done> first =
          direct
              ? rt.spawn(() -> {
                select.await();
                return wait.await();
              })
              : rt.spawn(select.andThen(won -> wait));
      polled.await();
      assertThat(first.cancel()).isTrue();
      dropped.drop();
      assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
    }
  }

  @Test
  void aShieldThatMovesToAThread_endsThere() throws Exception {
    JoinHandle<Done> first =
        rt.spawn(
            Futures.select(List.of(shield, Futures.ready(0)))
                .map(won -> {
                  moved.countDown();
                  return Done.DONE;
                })
                .andThen(done -> Futures.pending()));
    moved.await();
    gate.send(7);
    assertThat(shield.await()).isEqualTo(7);
    first.cancel();
    assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
  }
}
