package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the TCK does not ask: the end without demand, and executors of all kinds. */
@Strict
class ChannelPublisherTest {

  private static final class Recorder implements Flow.Subscriber<Integer> {
    final List<Integer> got = new ArrayList<>();
    final long first;
    boolean complete;
    @Nullable Throwable error;

    Recorder(long first) {
      this.first = first;
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
      if (first > 0) {
        s.request(first);
      }
    }

    @Override
    public void onNext(Integer item) {
      got.add(item);
    }

    @Override
    public void onError(Throwable t) {
      error = t;
    }

    @Override
    public void onComplete() {
      complete = true;
    }
  }

  @Test
  void close_withoutDemand_completes() {
    Channel<Integer> channel = Channel.bounded(4);
    var idle = new Recorder(0);
    channel.publisher(Runnable::run).subscribe(idle);
    channel.close();
    assertThat(idle.complete).isTrue();
    assertThat(channel.ends.length()).isZero();
  }

  @Test
  void theLastMessageTakenByAnother_completesASubscriberWithoutDemand() {
    Channel<Integer> channel = Channel.bounded(4);
    var idle = new Recorder(0);
    channel.publisher(Runnable::run).subscribe(idle);
    channel.trySend(1);
    channel.trySend(2);
    Permit<Integer> permit = channel.tryReserve();
    channel.close();
    channel.tryReceive();
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(idle.complete).as("a permit is out").isFalse();
    permit.close();
    assertThat(idle.complete).isTrue();
    assertThat(idle.got).isEmpty();
  }

  @Test
  void aSubscriberWithoutDemand_takesNobodysWake() {
    Channel<Integer> channel = Channel.bounded(4);
    channel.publisher(Runnable::run).subscribe(new Recorder(0));
    var receive = Polls.of(channel.receive());
    receive.poll();
    channel.trySend(1);
    assertThat(receive.wakes()).isEqualTo(1);
    assertThat(receive.poll()).isEqualTo(1);
  }

  @Test
  void anExecutorThatRunsAtOnce_doesNotRecurse() {
    Channel<Integer> channel = Channel.unbounded();
    int count = 400_000;
    for (int i = 0; i < count; i++) {
      channel.trySend(i);
    }
    channel.close();
    var all = new Recorder(Long.MAX_VALUE);
    channel.publisher(Runnable::run).subscribe(all);
    assertThat(all.error).isNull();
    assertThat(all.got).hasSize(count);
    assertThat(all.complete).isTrue();
  }

  @Test
  void anExecutorThatQueues_getsATurnPerBatch() {
    Channel<Integer> channel = Channel.unbounded();
    for (int i = 0; i < 1_000; i++) {
      channel.trySend(i);
    }
    Queue<Runnable> queue = new ArrayDeque<>();
    var all = new Recorder(Long.MAX_VALUE);
    channel.publisher(queue::add).subscribe(all);
    int turns = 0;
    for (var next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
      turns++;
    }
    assertThat(all.got).hasSize(1_000);
    assertThat(turns).isGreaterThan(10);
  }

  static List<Throwable> failures() {
    return List.of(
        new RejectedExecutionException("refused"),
        new IllegalStateException("any"),
        new AssertionError("an error"),
        new StackOverflowError("full"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anExecutorThatThrows_passesTheWakeOn(Throwable failure) {
    Channel<Integer> channel = Channel.bounded(4);
    var failing = new boolean[1];
    Executor executor =
        command -> {
          if (failing[0]) {
            throw sneaky(failure);
          }
          command.run();
        };
    var subscriber = new Recorder(1);
    channel.publisher(executor).subscribe(subscriber);
    Polls<Integer> next = Polls.of(channel.receive());
    assertThat(next.poll()).isNull();
    failing[0] = true;
    channel.trySend(7);
    assertThat(next.wakes()).isEqualTo(1);
    assertThat(next.poll()).isEqualTo(7);
    assertThat(subscriber.got).isEmpty();
    assertThat(channel.receivers.length() + channel.ends.length()).isZero();
  }

  @Test
  void anExecutorThatRunsAndThenThrows_deliversAll() {
    Channel<Integer> channel = Channel.unbounded();
    for (int i = 0; i < 1_000; i++) {
      channel.trySend(i);
    }
    channel.close();
    Executor executor =
        command -> {
          command.run();
          throw new IllegalStateException("too late");
        };
    var all = new Recorder(Long.MAX_VALUE);
    channel.publisher(executor).subscribe(all);
    assertThat(all.got).hasSize(1_000);
    assertThat(all.complete).isTrue();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable t) throws E {
    throw (E) t;
  }
}
