package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Closes from other threads at any moment: nothing is lost, nobody hangs, everything is closed
 * once.
 */
@Strict
@OnceIsEnough
class SourceCloseRaceTest {
  private static final int ROUNDS = 300;

  @Test
  void close_racesWithALoop() throws Exception {
    List<Integer> items = IntStream.range(0, 200).boxed().toList();
    for (int round = 0; round < ROUNDS; round++) {
      ProbeSource probe = round % 2 == 0 ? ProbeSource.slow(items) : ProbeSource.ready(items);
      Source<Integer> inner = probe.map(i -> i);
      Source<Integer> source =
          inner.mapAsync(3, Futures::ready).merge(Source.empty()).flatMap(i -> Source.of(i));
      boolean closesInner = round % 3 == 0;
      var got = new int[1];
      Race.run(
          index -> {
            for (int i : source) {
              assertThat(i).isEqualTo(got[0]++);
            }
          },
          index -> (closesInner ? inner : source).close());
      assertThat(source.hasEnded()).isTrue();
      probe.verify();
    }
  }

  @Test
  void close_racesWithATask_andPermitsAreConserved() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      for (int round = 0; round < ROUNDS; round++) {
        var permits = Semaphore.create(2);
        Channel<Integer> channel = Channel.unbounded();
        for (int i = 0; i < 50; i++) {
          channel.trySend(i);
        }
        Source<Integer> source =
            channel
                .receiver()
                .mapAsync(
                    4,
                    i ->
                        permits
                            .acquire()
                            .andThen(
                                permit -> Task.yieldNow().map(done -> i).whenDone(permit::close)));
        var task = rt.spawn(source.each(i -> {}));
        source.close();
        try {
          task.await();
        } catch (RuntimeException e) {
          assertThat(e).hasCauseInstanceOf(CancellationException.class);
        }
        assertThat(source.hasEnded()).isTrue();
        assertThat(permits.availablePermits()).isEqualTo(2);
        assertThat(channel.isClosed()).as("its receiver was closed").isTrue();
      }
    }
  }
}
