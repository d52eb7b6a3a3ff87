package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several futures of one source at a time. */
@Strict
class MapAsyncTest {
  private static final Context CX = Context.of(() -> {});

  private static List<Integer> range(int n) {
    return IntStream.range(0, n).boxed().toList();
  }

  /** Futures that end when they are told, with counts. */
  private static final class Replies {
    final List<Oneshot<Integer>> open = new ArrayList<>();
    int polls;
    int dropped;

    Future<Integer> ask(int item) {
      Oneshot<Integer> reply = Oneshot.create();
      open.add(reply);
      Future<Integer> answer = reply.receive();
      return new Future<>() {
        @Override
        public @Nullable Integer poll(Context cx) throws Exception {
          polls++;
          return answer.poll(cx);
        }

        @Override
        public void drop() {
          dropped++;
          answer.drop();
        }

        @Override
        public String toString() {
          return "the answer to " + item;
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 17, 200})
  void noMoreThanTheLimit_areUnderWay(int limit) throws Exception {
    var replies = new Replies();
    Source<Integer> source = Source.from(range(500)).mapAsync(limit, replies::ask);
    assertThat(source.pollNext(CX)).isNull();
    assertThat(replies.open).hasSize(limit);
    replies.open.getLast().send(1);
    assertThat(source.pollNext(CX) == null).as("in order").isEqualTo(limit > 1);
    assertThat(replies.open).as("a result that waits counts").hasSize(limit);
    source.close();
    assertThat(replies.dropped).isEqualTo(limit - 1);
  }

  @Test
  void order_isThatOfTheItems_orThatOfTheEnds() throws Exception {
    var ordered = new Replies();
    Source<Integer> inOrder = Source.from(range(3)).mapAsync(3, ordered::ask);
    assertThat(inOrder.pollNext(CX)).isNull();
    ordered.open.get(2).send(2);
    ordered.open.get(1).send(1);
    assertThat(inOrder.pollNext(CX)).isNull();
    ordered.open.get(0).send(0);
    assertThat(inOrder.toList().await()).containsExactly(0, 1, 2);

    var any = new Replies();
    Source<Integer> asTheyCome = Source.from(range(3)).mapAsyncUnordered(3, any::ask);
    assertThat(asTheyCome.pollNext(CX)).isNull();
    any.open.get(2).send(2);
    assertThat(asTheyCome.pollNext(CX)).isEqualTo(2);
    any.open.get(0).send(0);
    assertThat(asTheyCome.pollNext(CX)).isEqualTo(0);
    any.open.get(1).send(1);
    assertThat(asTheyCome.toList().await()).containsExactly(1);
  }

  @Test
  void aWake_pollsTheOneItIsFor() throws Exception {
    var replies = new Replies();
    var wakes = new AtomicInteger();
    Context cx = Context.of(wakes::incrementAndGet);
    Source<Integer> source = Source.from(range(1_000)).mapAsyncUnordered(1_000, replies::ask);
    assertThat(source.pollNext(cx)).isNull();
    assertThat(replies.polls).isEqualTo(1_000);
    replies.open.get(777).send(777);
    assertThat(wakes).hasPositiveValue();
    assertThat(source.pollNext(cx)).isEqualTo(777);
    assertThat(replies.polls).isEqualTo(1_001);
    source.close();
    assertThat(replies.dropped).isEqualTo(999);
  }

  @Test
  void aFailure_inOrder_comesAfterTheResultsBefore() throws Exception {
    var replies = new Replies();
    ProbeSource probe = ProbeSource.ready(range(10));
    Source<Integer> source =
        probe.mapAsync(4, i -> i == 2 ? Futures.failed(new IOException("two")) : replies.ask(i));
    assertThat(source.pollNext(CX)).isNull();
    assertThat(probe.taken()).as("none after a failure").isEqualTo(3);
    replies.open.forEach(reply -> reply.send(7));
    assertThat(source.pollNext(CX)).isEqualTo(7);
    assertThat(source.pollNext(CX)).isEqualTo(7);
    assertThatThrownBy(() -> source.pollNext(CX)).hasMessage("two");
    probe.verify();
  }

  @Test
  void aFailureOfTheInput_inOrder_comesAfterTheResultsBefore() throws Exception {
    var replies = new Replies();
    var next = new AtomicInteger();
    Source<Integer> input =
        Source.generate(() -> {
          if (next.get() == 2) {
            throw new IOException("no third");
          }
          return next.getAndIncrement();
        });
    Source<Integer> source = input.mapAsync(4, replies::ask);
    assertThat(source.pollNext(CX)).isNull();
    replies.open.get(1).send(11);
    assertThat(source.pollNext(CX)).isNull();
    replies.open.get(0).send(10);
    assertThat(source.pollNext(CX)).isEqualTo(10);
    assertThat(source.pollNext(CX)).isEqualTo(11);
    assertThatThrownBy(() -> source.pollNext(CX)).hasMessage("no third");
    assertThat(source.hasEnded()).isTrue();
    assertThat(replies.dropped).isZero();
  }

  @Test
  void aFailureOfTheInput_inAnyOrder_dropsTheOthersAtOnce() throws Exception {
    var replies = new Replies();
    ProbeSource input = ProbeSource.failing(range(2), false, new IOException("no third"));
    Source<Integer> source = input.mapAsyncUnordered(4, replies::ask);
    assertThatThrownBy(() -> source.pollNext(CX)).hasMessage("no third");
    assertThat(replies.dropped).isEqualTo(2);
    input.verify();
  }

  @Test
  void aFailure_inAnyOrder_dropsTheOthersAtOnce() throws Exception {
    for (boolean inMapper : new boolean[] {false, true}) {
      var replies = new Replies();
      ProbeSource probe = ProbeSource.ready(range(10));
      Source<Integer> source =
          probe.mapAsyncUnordered(
              4,
              i -> {
                if (i < 3) {
                  return replies.ask(i);
                }
                if (inMapper) {
                  throw new IOException("three");
                }
                return Futures.failed(new IOException("three"));
              });
      assertThatThrownBy(() -> source.pollNext(CX)).hasMessage("three");
      assertThat(replies.dropped).isEqualTo(3);
      probe.verify();
    }
  }

  @Test
  void anError_isThrownAtOnce_andNothingIsLost() throws Exception {
    var replies = new Replies();
    ProbeSource probe = ProbeSource.ready(range(10));
    Source<Integer> source =
        probe.mapAsync(
            4,
            i -> {
              if (i == 2) {
                throw new StackOverflowError("two");
              }
              return replies.ask(i);
            });
    assertThatThrownBy(() -> source.pollNext(CX)).isInstanceOf(StackOverflowError.class);
    assertThat(replies.dropped).isEqualTo(2);
    probe.verify();
  }

  @Test
  void permits_areConserved_whereverItIsClosed() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).clock(new ManualTimeSource(true)).build()) {
      for (int taken = 0; taken < 12; taken++) {
        var permits = Semaphore.create(3);
        int most = taken;
        rt.run(() -> {
          Source<Integer> source =
              Source.from(range(10))
                  .mapAsync(
                      5,
                      i ->
                          permits
                              .acquire()
                              .andThen(permit ->
                                  Task.sleep(Duration.ofMillis(10 - i))
                                      .map(done -> i)
                                      .whenDone(permit::close)));
          try (source) {
            int n = 0;
            for (int item : source) {
              assertThat(item).isEqualTo(n++);
              if (n == most) {
                break;
              }
            }
          }
        });
        assertThat(permits.availablePermits()).isEqualTo(3);
      }
      assertThat(rt.stats().timers()).isZero();
    }
  }

  @Test
  void aTask_thatMovesBetweenPolls_isStillWoken() throws Exception {
    var replies = new Replies();
    Source<Integer> source = Source.of(1).mapAsync(2, replies::ask);
    var next = source.next();
    assertThat(next.poll(CX)).isNull();
    var wakes = new AtomicInteger();
    assertThat(next.poll(Context.of(wakes::incrementAndGet))).isNull();
    replies.open.getFirst().send(5);
    assertThat(wakes).hasPositiveValue();
    assertThat(next.poll(CX)).hasValue(5);
  }

  @Test
  void wrongNumbers_areRefused_andLeaveTheSourceAlone() {
    Source<Integer> source = Source.of(1);
    assertThatThrownBy(() -> source.mapAsync(0, Futures::ready))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> source.chunk(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> source.take(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> source.throttle(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(source).containsExactly(1);
  }
}
