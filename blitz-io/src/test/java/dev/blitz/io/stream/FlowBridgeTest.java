package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the TCK does not ask of the bridges to reactive streams. */
@Strict
class FlowBridgeTest {
  private static final Context CX = Context.of(() -> {});

  /** A publisher played by hand. */
  private static final class Hand implements Flow.Publisher<Integer>, Flow.Subscription {
    final List<Long> requests = new ArrayList<>();
    int cancels;
    Flow.@Nullable Subscriber<? super Integer> subscriber;

    @Override
    public void subscribe(Flow.Subscriber<? super Integer> subscriber) {
      this.subscriber = subscriber;
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
      requests.add(n);
    }

    @Override
    public void cancel() {
      cancels++;
    }
  }

  @Test
  void from_subscribesWithTheFirstPoll_andAsksForWhatItHasRoomFor() throws Exception {
    var hand = new Hand();
    Source<Integer> source = Source.from(hand, 4);
    assertThat(hand.subscriber).isNull();
    var wakes = new AtomicInteger();
    assertThat(source.pollNext(Context.of(wakes::incrementAndGet))).isNull();
    assertThat(hand.requests).containsExactly(4L);
    for (int i = 0; i < 4; i++) {
      hand.subscriber.onNext(i);
    }
    assertThat(wakes).hasValue(1);
    assertThat(source.pollNext(CX)).isEqualTo(0);
    assertThat(hand.requests).hasSize(1);
    assertThat(source.pollNext(CX)).isEqualTo(1);
    assertThat(hand.requests).containsExactly(4L, 2L);
    hand.subscriber.onComplete();
    assertThat(source.toList().await()).containsExactly(2, 3);
    assertThat(hand.cancels).isZero();
  }

  @Test
  void from_failsAfterTheItemsBefore() throws Exception {
    var hand = new Hand();
    Source<Integer> source = Source.from(hand, 4);
    assertThat(source.pollNext(CX)).isNull();
    hand.subscriber.onNext(1);
    hand.subscriber.onError(new IOException("broken"));
    hand.subscriber.onNext(2);
    assertThat(source.pollNext(CX)).isEqualTo(1);
    assertThatThrownBy(() -> source.pollNext(CX)).hasMessage("broken");
    assertThat(source.hasEnded()).isTrue();
  }

  @Test
  void from_refusesMoreThanItAskedFor_andASecondSubscription() throws Exception {
    var hand = new Hand();
    Source<Integer> source = Source.from(hand, 2);
    assertThat(source.pollNext(CX)).isNull();
    var second = new Hand();
    hand.subscriber.onSubscribe(second);
    assertThat(second.cancels).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      hand.subscriber.onNext(i);
    }
    assertThat(hand.cancels).isEqualTo(1);
    assertThat(source.pollNext(CX)).isEqualTo(0);
    assertThat(source.pollNext(CX)).isEqualTo(1);
    assertThatThrownBy(() -> source.pollNext(CX)).hasMessageContaining("more than it was asked");
  }

  @Test
  void close_cancelsTheSubscription_alsoOneThatComesLate() throws Exception {
    var hand = new Hand();
    Source<Integer> source = Source.from(hand, 2);
    assertThat(source.pollNext(CX)).isNull();
    source.close();
    assertThat(hand.cancels).isEqualTo(1);
    hand.subscriber.onNext(1);

    List<Flow.Subscriber<? super Integer>> subscribers = new ArrayList<>();
    Source<Integer> early = Source.from(subscribers::add, 2);
    assertThat(early.pollNext(CX)).isNull();
    early.close();
    var late = new Hand();
    subscribers.getFirst().onSubscribe(late);
    assertThat(late.cancels).isEqualTo(1);
    assertThat(late.requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64})
  void thereAndBack_inOrder(int ahead) throws Exception {
    int n = 5_000;
    try (var executor = Executors.newFixedThreadPool(2)) {
      var publisher = Source.from(IntStream.range(0, n).boxed().toList()).publisher(executor);
      List<Integer> got = Source.<Integer>from(publisher, ahead).map(i -> i).toList().await();
      assertThat(got).isEqualTo(IntStream.range(0, n).boxed().toList());
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the end of the items
  void aForeignPublisher_isASource() throws Exception {
    try (var executor = Executors.newSingleThreadExecutor();
        var publisher = new SubmissionPublisher<Integer>(executor, 8)) {
      Source<Integer> source = Source.from(publisher, 4);
      var next = source.next();
      assertThat(next.poll(CX)).isNull();
      next.drop();
      publisher.submit(1);
      publisher.submit(2);
      publisher.close();
      assertThat(source.toList().await()).containsExactly(1, 2);
    }
  }

  private static final class Recorder implements Flow.Subscriber<Integer> {
    final List<String> got = new ArrayList<>();
    final long first;
    Flow.@Nullable Subscription subscription;

    Recorder(long first) {
      this.first = first;
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
      subscription = s;
      if (first > 0) {
        s.request(first);
      }
    }

    @Override
    public void onNext(Integer item) {
      got.add("" + item);
    }

    @Override
    public void onError(Throwable t) {
      got.add(t.getMessage());
    }

    @Override
    public void onComplete() {
      got.add("end");
    }
  }

  @Test
  void publisher_pullsWhatWasAskedFor_andNothingElse() {
    ProbeSource probe = ProbeSource.ready(List.of(1, 2, 3));
    var subscriber = new Recorder(0);
    probe.publisher(Runnable::run).subscribe(subscriber);
    assertThat(probe.polls()).isZero();
    subscriber.subscription.request(2);
    assertThat(subscriber.got).containsExactly("1", "2");
    assertThat(probe.taken()).isEqualTo(2);
    subscriber.subscription.request(2);
    assertThat(subscriber.got).containsExactly("1", "2", "3", "end");
    probe.verify();
  }

  @Test
  void publisher_tellsFailures_closesWhenCancelled_refusesASecond() {
    ProbeSource failing = ProbeSource.failing(List.of(1), false, new AssertionError("broken"));
    var subscriber = new Recorder(Long.MAX_VALUE);
    var publisher = failing.publisher(Runnable::run);
    publisher.subscribe(subscriber);
    assertThat(subscriber.got).containsExactly("1", "broken");
    failing.verify();
    var second = new Recorder(1);
    publisher.subscribe(second);
    assertThat(second.got).singleElement().asString().contains("one user");

    ProbeSource cancelled = ProbeSource.ready(List.of(1, 2));
    var quitter = new Recorder(1);
    cancelled.publisher(Runnable::run).subscribe(quitter);
    quitter.subscription.cancel();
    cancelled.verify();
    assertThat(quitter.got).containsExactly("1");

    ProbeSource wrong = ProbeSource.ready(List.of(1, 2));
    var greedy = new Recorder(0);
    wrong.publisher(Runnable::run).subscribe(greedy);
    greedy.subscription.request(-1);
    assertThat(greedy.got).singleElement().asString().contains("at least 1");
    wrong.verify();
  }

  @Test
  void anExecutorThatRefuses_closesTheSource() {
    ProbeSource probe = ProbeSource.ready(List.of(1));
    Executor refusing =
        command -> {
          throw new RejectedExecutionException("refused");
        };
    probe.publisher(refusing).subscribe(new Recorder(1));
    probe.verify();
  }

  @Test
  void aMillionItems_onAnExecutorThatRunsAtOnce_doNotRecurse() throws Exception {
    int n = 1_000_000;
    var publisher = Source.from(() -> IntStream.range(0, n).iterator()).publisher(Runnable::run);
    assertThat(Source.<Integer>from(publisher, 16).fold(0, (sum, i) -> sum + 1).await())
        .isEqualTo(n);
  }

  /** Always ready, and nothing comes of it: the executor is for others too. */
  @Test
  void aSourceWhoseItemsAllComeToNothing_letsOthersOnTheExecutorRun() {
    var queue = new ArrayDeque<Runnable>();
    var made = new AtomicInteger();
    var recorder = new Recorder(1);
    Source.generate(made::incrementAndGet)
        .filter(item -> {
          if (item > 1_000_000) {
            throw new IllegalStateException("the executor's thread was kept");
          }
          return false;
        })
        .publisher(queue::add)
        .subscribe(recorder);
    for (int turns = 0; turns < 3; turns++) {
      queue.remove().run();
      assertThat(recorder.got).isEmpty();
    }
    recorder.subscription.cancel();
    queue.remove().run();
    assertThat(queue).isEmpty();
  }

  /** A subscriber learns of the end even if the source cannot be closed. */
  @Test
  void aSourceWhoseCloseFails_endsAllTheSame() {
    Source<Integer> source =
        new Source<>() {
          private boolean ended;

          @Override
          public @Nullable Integer pollNext(Context cx) {
            ended = true;
            return null;
          }

          @Override
          public boolean hasEnded() {
            return ended;
          }

          @Override
          public void forgetNext() {}

          @Override
          public void close() {
            throw new IllegalStateException("cannot be closed");
          }
        };
    var recorder = new Recorder(1);
    source.publisher(Runnable::run).subscribe(recorder);
    assertThat(recorder.got).hasSize(1);
  }
}
