package dev.blitz.io.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.CancelToken;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Wakers that drop what they wait for, which wakes the next one: any number in a row. */
@Strict
@OnceIsEnough
class WakeChainTest {
  private static final int LENGTH = 100_000;

  /** All wait; each drops itself when it is woken, and so hands on what it was granted. */
  private static void chain(Supplier<? extends UncheckedFuture<?>> wait, Runnable begin) {
    List<? extends UncheckedFuture<?>> waits =
        IntStream.range(0, LENGTH).mapToObj(i -> wait.get()).toList();
    for (UncheckedFuture<?> w : waits) {
      assertThat(w.poll(Context.of(w::drop))).isNull();
    }
    begin.run();
  }

  @Test
  void permits() {
    Semaphore semaphore = Semaphore.create(0, 1);
    chain(semaphore::acquire, semaphore::release);
    assertThat(semaphore.availablePermits()).isEqualTo(1);
  }

  @Test
  void notifications() {
    Notify notify = Notify.create();
    chain(notify::notified, notify::notifyOne);
    assertThat(notify.notified().poll(Context.of(() -> {}))).isNotNull();
  }

  @Test
  void messages() {
    Channel<Integer> channel = Channel.bounded(1);
    chain(channel::receive, () -> channel.trySend(7));
    assertThat(channel.tryReceive()).isEqualTo(7);
  }

  @Test
  void cancellations() {
    List<CancelToken> tokens =
        IntStream.range(0, LENGTH).mapToObj(i -> CancelToken.create()).toList();
    for (int i = 0; i < LENGTH - 1; i++) {
      CancelToken next = tokens.get(i + 1);
      assertThat(tokens.get(i).cancelled().poll(Context.of(next::cancel))).isNull();
    }
    tokens.getFirst().cancel();
    assertThat(tokens.getLast().isCancelled()).isTrue();
  }
}
