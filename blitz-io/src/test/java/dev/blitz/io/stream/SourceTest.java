package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.LaggedException;
import dev.blitz.io.channel.Watch;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Select;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.Interval;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Strict
class SourceTest {
  private static final Context CX = Context.of(() -> {});

  @Test
  void aLoop_waitsForEachItem_andEnds() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    List<Integer> got = new ArrayList<>();
    Blitz.run(() -> {
      Task.spawn(
              () -> {
                for (int i = 0; i < 5; i++) {
                  channel.send(i).await();
                }
                channel.close();
              })
          .detach();
      for (int i : channel.receiver().map(i -> i * 10).filter(i -> i != 20)) {
        got.add(i);
      }
    });
    assertThat(got).containsExactly(0, 10, 30, 40);
  }

  @Test
  void aLoop_thatIsLeft_goesOnWhereItWas() {
    Source<Integer> source = Source.of(1, 2, 3, 4).map(i -> i);
    for (int i : source) {
      if (i == 2) {
        break;
      }
    }
    assertThat(source).containsExactly(3, 4);
  }

  @Test
  void aLoop_throwsIoUnchecked_andOthersWrapped() {
    assertThatThrownBy(() -> Source.failed(new IOException("disk")).iterator().hasNext())
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("disk");
    assertThatThrownBy(() -> Source.failed(new Exception("any")).iterator().hasNext())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("any");
    Source<Integer> broken =
        Source.of(1)
            .map(i -> {
              throw new IllegalArgumentException("one");
            });
    var loop = broken.iterator();
    assertThatThrownBy(loop::hasNext).isInstanceOf(IllegalArgumentException.class);
    assertThat(loop.hasNext()).isFalse();
  }

  @Test
  void kinds_narrowWhatIsThrown() throws Exception {
    List<Integer> unchecked = Source.of(1, 2).map(i -> i + 1).take(1).toList().await();
    assertThat(unchecked).containsExactly(2);
    IoSource<Integer> io = IoSource.unfold(() -> Futures.io(Futures.failed(new IOException("x"))));
    try {
      io.map(i -> i).toList().await();
    } catch (IOException e) {
      assertThat(e).hasMessage("x");
    }
    assertThatThrownBy(() ->
            Source.of(1)
                .map(i -> {
                  throw new Exception("checked");
                })
                .toList()
                .await())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("checked");
  }

  @Test
  void ends_takeWhatTheyAreMadeFor() throws Exception {
    assertThat(Source.of(1, 2, 3).fold(0, Integer::sum).await()).isEqualTo(6);
    assertThat(Source.of("a", "b").collect(Collectors.joining(",")).await()).isEqualTo("a,b");
    assertThat(Source.<String>empty().collect(Collectors.joining(",")).await()).isEmpty();
    assertThat(Source.of(7, 8).first().await()).hasValue(7);
    assertThat(Source.empty().first().await()).isEmpty();
    var sum = new AtomicInteger();
    Source.of(1, 2, 3).each(sum::addAndGet).await();
    Source.of(1, 2, 3).forEach(sum::addAndGet);
    assertThat(sum).hasValue(12);
    var count = new AtomicInteger();
    assertThat(Source.generate(count::incrementAndGet).take(3).toList().await())
        .containsExactly(1, 2, 3);
    assertThat(
            Source.unfold(() ->
                    Futures.ready(
                        count.get() > 6 ? Optional.empty() : Optional.of(count.getAndIncrement())))
                .toList()
                .await())
        .isEqualTo(List.of(3, 4, 5, 6));
  }

  @Test
  void aSourceThatHasEnded_isEmpty_oneThatWasClosed_cancels() throws Exception {
    UncheckedSource<Integer> ended = Source.of(1).map(i -> i);
    assertThat(ended.toList().await()).containsExactly(1);
    assertThat(ended.toList().await()).isEmpty();
    assertThat(ended.map(i -> i).toList().await()).isEmpty();
    UncheckedSource<Integer> closed = Source.of(1);
    closed.close();
    assertThat(closed.hasEnded()).isTrue();
    assertThat(closed.iterator().hasNext()).isFalse();
    assertThatThrownBy(() -> closed.toList().await()).isInstanceOf(CancelledException.class);
  }

  @Test
  void aFutureThatIsDropped_closesItsSource() {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2));
    probe.fold(0, Integer::sum).drop();
    probe.verify();
  }

  @Test
  void whenDone_runsOnce_howeverItEnds() throws Exception {
    var runs = new AtomicInteger();
    Source.of(1).whenDone(runs::incrementAndGet).toList().await();
    assertThat(runs).hasValue(1);
    Source<Integer> closed = Source.of(1).whenDone(runs::incrementAndGet);
    closed.close();
    closed.close();
    assertThat(runs).hasValue(2);
    assertThatThrownBy(() ->
            Source.failed(new Exception("x")).whenDone(runs::incrementAndGet).toList().await())
        .hasMessage("x");
    assertThat(runs).hasValue(3);
    assertThat(Source.of(1, 2, 3).whenDone(runs::incrementAndGet).take(1).first().await())
        .hasValue(1);
    assertThat(runs).hasValue(4);
  }

  @Test
  void close_byAFunctionOfItsOwn_endsWithThatPoll() throws Exception {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2, 3, 4));
    List<Source<Integer>> itself = new ArrayList<>();
    Source<Integer> source =
        probe.map(i -> {
          if (i == 2) {
            itself.getFirst().close();
          }
          return i;
        });
    itself.add(source);
    assertThat(source).containsExactly(1, 2);
    probe.verify();
  }

  @Test
  void close_byAFunction_ofASourceWhoseItemsAllFallThrough_isSeen() throws Exception {
    List<Source<Integer>> itself = new ArrayList<>();
    Source<Integer> source =
        Source.generate(() -> 1)
            .filter(i -> {
              itself.getFirst().close();
              return false;
            });
    itself.add(source);
    assertThat(source.iterator().hasNext()).isFalse();
  }

  @Test
  void aFunction_thatPollsItsOwnSource_isRefused() {
    List<Source<Integer>> itself = new ArrayList<>();
    ProbeSource probe = ProbeSource.ready(List.of(1));
    Source<Integer> source = probe.map(i -> itself.getFirst().next().await().get());
    itself.add(source);
    assertThatThrownBy(() -> source.iterator().hasNext())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("being polled");
    probe.verify();
  }

  @Test
  void receivers_areSources_andADroppedNextLosesNothing() throws Exception {
    Channel<Integer> channel = Channel.unbounded();
    UncheckedSource<Integer> source = channel.receiver().map(i -> i);
    var next = source.next();
    assertThat(next.poll(CX)).isNull();
    channel.trySend(1);
    next.drop(); // woken, not polled
    assertThat(channel.tryReceive()).isEqualTo(1);
    channel.trySend(2);
    var select = Select.first(Futures.ready("now"), source.next());
    assertThat(select.await()).isEqualTo(new Select.First<>("now"));
    assertThat(source.next().await()).hasValue(2);
    channel.trySend(3);
    source.close();
    assertThat(channel.isClosed()).as("the last receiver has gone").isTrue();
    assertThat(channel.tryReceive()).as("not taken").isEqualTo(3);
  }

  @Test
  void aWake_forASourceThatForgets_goesToTheNextReceiver() {
    Channel<Integer> channel = Channel.unbounded();
    var receiver = channel.receiver();
    assertThat(receiver.pollNext(CX)).isNull();
    var wakes = new AtomicInteger();
    var other = channel.receive();
    assertThat(other.poll(Context.of(wakes::incrementAndGet))).isNull();
    channel.trySend(1);
    assertThat(wakes).hasValue(0);
    receiver.forgetNext();
    assertThat(wakes).hasValue(1);
    assertThat(other.poll(CX)).isEqualTo(1);
    receiver.close();
    assertThat(receiver.pollNext(CX)).isNull();
    assertThat(receiver.hasEnded()).isTrue();
  }

  @Test
  void anUnfold_keepsItsFuture_aRepeatDropsIt_whenAWaitIsDropped() {
    Channel<Integer> channel = Channel.unbounded();
    var made = new AtomicInteger();
    var kept =
        UncheckedSource.unfold(() -> {
          made.incrementAndGet();
          return channel.next();
        });
    for (int i = 0; i < 3; i++) {
      var next = kept.next();
      assertThat(next.poll(CX)).isNull();
      next.drop();
    }
    assertThat(made).hasValue(1);
    kept.close();
    var repeated = UncheckedSource.repeat(channel::next);
    var next = repeated.next();
    assertThat(next.poll(CX)).isNull();
    channel.trySend(1);
    next.drop();
    var wakes = new AtomicInteger();
    var other = channel.receive();
    assertThat(other.poll(Context.of(wakes::incrementAndGet))).isEqualTo(1);
    channel.trySend(2);
    channel.close();
    assertThat(repeated.toList().await()).containsExactly(2);
  }

  @Test
  @OnceIsEnough
  void aLoopOverAReceiver_allocatesWhatAwaitsDo_andNothingElse() {
    Channel<Integer> channel = Channel.bounded(16);
    var loop = channel.receiver().iterator();
    Integer one = 1;
    var ready = Futures.ready(one);
    var got = new int[1];
    Runnable awaits =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            got[0] += ready.await();
          }
        };
    Runnable loops =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            channel.trySend(one);
            got[0] += loop.next();
          }
        };
    awaits.run();
    loops.run();
    assertThat(Memory.allocatedByEach(loops)).isLessThanOrEqualTo(Memory.allocatedByEach(awaits));
  }

  @Test
  void broadcasts_fail_orSkipWhatWasMissed() {
    Broadcast<Integer> broadcast = Broadcast.create(2);
    var strict = broadcast.subscribe();
    var lenient = broadcast.subscribe().skippingMissed();
    for (int i = 0; i < 5; i++) {
      broadcast.send(i);
    }
    broadcast.close();
    assertThatThrownBy(() -> strict.pollNext(CX)).isInstanceOf(LaggedException.class);
    assertThat(strict.pollNext(CX)).isEqualTo(3);
    assertThat(lenient.map(i -> i).toList().await()).containsExactly(3, 4);
    assertThat(lenient.missed()).isEqualTo(3);
    assertThat(broadcast.receivers()).isEqualTo(1);
  }

  @Test
  void watches_areSourcesOfTheirChanges() {
    Watch<Integer> watch = Watch.of(0);
    var source = watch.subscribe();
    assertThat(source.pollNext(CX)).isNull();
    assertThat(source.hasEnded()).isFalse();
    watch.send(1);
    watch.send(2);
    assertThat(source.pollNext(CX)).isEqualTo(2);
    watch.close();
    assertThat(source.pollNext(CX)).isNull();
    assertThat(source.hasEnded()).isTrue();
    var closed = watch.subscribe();
    closed.close();
    assertThat(closed.pollNext(CX)).isNull();
    assertThat(closed.hasEnded()).isTrue();
  }

  @Test
  void intervals_areSourcesOfTheirTicks() throws Exception {
    Blitz.run(() -> {
      int last = -1;
      for (var tick : Interval.every(Duration.ofMillis(1)).take(3)) {
        assertThat(tick.number()).isEqualTo(last + 1);
        last++;
      }
      assertThat(last).isEqualTo(2);
    });
  }

  @Test
  @OnceIsEnough
  void aHundredThousandOperators_takeNoStack() throws Exception {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2, 3));
    Source<Integer> source = probe;
    for (int i = 0; i < 100_000; i++) {
      source = i % 2 == 0 ? source.map(n -> n + 1) : source.filter(n -> n > 0);
    }
    assertThat(source.toList().await()).containsExactly(50_001, 50_002, 50_003);
    probe.verify();
  }

  @Test
  @OnceIsEnough
  void aHundredThousandStages_overflow_andAreClosed() throws Exception {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2, 3));
    var done = new AtomicInteger();
    Source<Integer> source = probe;
    for (int i = 0; i < 100_000; i++) {
      source = source.whenDone(done::incrementAndGet);
    }
    Source<Integer> deep = source;
    assertThatThrownBy(() -> deep.toList().await()).isInstanceOf(StackOverflowError.class);
    assertThat(done).hasValue(100_000);
    probe.verify();
  }

  /** A merge of a merge is one merge, on whichever side it is. */
  @Test
  @OnceIsEnough
  void nestedMerges_takeNoStack() throws Exception {
    int depth = 20_000;
    Source<Integer> left = Source.of(0);
    Source<Integer> right = Source.of(0);
    Source<Integer> both = Source.of(0);
    Source<Integer> lists = Source.of(0);
    for (int i = 1; i <= depth; i++) {
      lists = Source.mergeAll(List.of(Source.of(i), lists));
      left = left.merge(Source.of(i));
      right = Source.of(i).merge(right);
      both = Source.of(i).merge(Source.of(-i)).merge(both);
    }
    long sum = depth * (depth + 1L) / 2;
    assertThat(left.fold(0L, Long::sum).await()).isEqualTo(sum);
    assertThat(right.fold(0L, Long::sum).await()).isEqualTo(sum);
    assertThat(both.fold(0L, (n, i) -> n + Math.abs(i)).await()).isEqualTo(2 * sum);
    assertThat(lists.fold(0L, Long::sum).await()).isEqualTo(sum);
  }

  /** Whatever was merged closes the merge, also one that has been taken in by another. */
  @Test
  void nestedMerge_isClosedByEachOfItsParts() throws Exception {
    for (int part = 0; part < 6; part++) {
      List<ProbeSource> probes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        probes.add(ProbeSource.ready(List.of(i)));
      }
      Source<Integer> first = probes.get(0).merge(probes.get(1));
      Source<Integer> second = probes.get(2).merge(probes.get(3));
      Source<Integer> all = first.merge(second);
      Source<Integer> more = all.merge(Source.of(9));
      List<Source<Integer>> parts = List.of(first, second, all, more);
      if (part < parts.size()) {
        parts.get(part).close();
        assertThat(more.hasEnded()).isTrue();
      } else {
        assertThat(more.toList().await()).containsExactlyInAnyOrder(0, 1, 2, 3, 9);
      }
      for (ProbeSource probe : probes) {
        probe.verify();
      }
    }
  }

  /** One without inputs has none that could tell of its close. */
  @Test
  void mergeOfNothing_closesWhatItIsMergedInto() throws Exception {
    for (int part = 0; part < 4; part++) {
      ProbeSource probe = ProbeSource.ready(List.of(1));
      Source<Integer> none = Source.mergeAll(List.of());
      Source<Integer> nothing = Source.mergeAll(List.of());
      Source<Integer> both = part % 2 == 0 ? none.merge(nothing) : nothing.merge(none);
      Source<Integer> some = Source.mergeAll(List.of(probe, Source.of(2)));
      Source<Integer> all = part < 2 ? some.merge(both) : Source.mergeAll(List.of(both, some));
      none.close();
      assertThat(all.hasEnded()).as("part " + part).isTrue();
      probe.verify();
      Source<Integer> empty = Source.<Integer>mergeAll(List.of()).merge(Source.mergeAll(List.of()));
      assertThat(empty.merge(Source.mergeAll(List.of(Source.of(3)))).toList().await())
          .containsExactly(3);
    }
  }

  @Test
  @OnceIsEnough
  void plainItems_allocateNothing() {
    Integer one = 1;
    var source =
        Source.generate(() -> one).map(i -> i).filter(i -> i > 0).skip(1).scan(one, (a, b) -> b);
    var loop = source.iterator();
    for (int i = 0; i < 20_000; i++) {
      loop.next();
    }
    var got = new int[1];
    long bytes =
        Memory.allocatedByEach(() -> {
          try {
            for (int i = 0; i < 1_000; i++) {
              got[0] += source.pollNext(CX);
            }
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertThat(bytes).isZero();
    Channel<Integer> channel = Channel.bounded(16);
    var receiver = channel.receiver().map(i -> i);
    Runnable pass =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            channel.trySend(one);
            got[0] += receiver.pollNext(CX);
          }
        };
    pass.run();
    assertThat(Memory.allocatedByEach(pass)).isZero();
    source.close();
  }

  @Test
  void aMillionItems_byAPlatformThread() throws Exception {
    long sum =
        Source.from(() -> IntStream.range(0, 1_000_000).iterator()).fold(0L, Long::sum).await();
    assertThat(sum).isEqualTo(499_999_500_000L);
  }
}
