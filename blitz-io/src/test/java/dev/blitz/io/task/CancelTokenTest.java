package dev.blitz.io.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.CarrierHogs;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class CancelTokenTest {
  private static final int ROUNDS = 500;

  /** Counts its wakes. */
  private static final class CountingWaker implements Waker {
    final AtomicInteger wakes = new AtomicInteger();

    @Override
    public void wake() {
      wakes.incrementAndGet();
    }

    Context context() {
      return Context.of(this);
    }
  }

  @Test
  void cancel_reachesAllBelow_andNothingAboveOrBeside() {
    var root = CancelToken.create();
    var left = root.child();
    var right = root.child();
    var leaf = left.child();
    assertThat(left.cancel()).isTrue();
    assertThat(left.cancel()).isFalse();
    assertThat(leaf.cancel()).as("cancelled from above").isFalse();
    assertThat(leaf.isCancelled()).isTrue();
    assertThat(right.isCancelled()).isFalse();
    assertThat(root.isCancelled()).isFalse();
    assertThat(root.cancel()).isTrue();
    assertThat(right.isCancelled()).isTrue();
  }

  @Test
  void child_ofACancelledToken_isCancelled() {
    var root = CancelToken.create();
    root.cancel();
    var child = root.child();
    assertThat(child.isCancelled()).isTrue();
    assertThat(child.cancelled().await()).isEqualTo(Done.DONE);
    assertThatThrownBy(child::throwIfCancelled).isInstanceOf(CancelledException.class);
  }

  @Test
  void cancelled_wakesItsWaiterOnce_andStaysReady() {
    var token = CancelToken.create();
    var waker = new CountingWaker();
    var wait = token.cancelled();
    assertThat(wait.poll(waker.context())).isNull();
    assertThat(wait.poll(waker.context())).isNull();
    token.cancel();
    assertThat(waker.wakes).hasValue(1);
    assertThat(wait.poll(waker.context())).isEqualTo(Done.DONE);
    assertThat(wait.poll(waker.context())).isEqualTo(Done.DONE);
    assertThat(token.hasWaiters()).isFalse();
  }

  @Test
  void cancelled_wakesTheWakerOfTheLastPoll() {
    var token = CancelToken.create().child();
    var before = new CountingWaker();
    var after = new CountingWaker();
    var wait = token.cancelled();
    assertThat(wait.poll(before.context())).isNull();
    assertThat(wait.poll(after.context())).isNull();
    token.cancel();
    assertThat(before.wakes).hasValue(0);
    assertThat(after.wakes).hasValue(1);
  }

  @Test
  void waiters_areToldLevelByLevel_oldestFirst() {
    var root = CancelToken.create();
    var child = root.child();
    var order = new ArrayList<String>();
    assertThat(child.cancelled().poll(Context.of(() -> order.add("below")))).isNull();
    assertThat(root.cancelled().poll(Context.of(() -> order.add("first")))).isNull();
    assertThat(root.cancelled().poll(Context.of(() -> order.add("second")))).isNull();
    root.cancel();
    assertThat(order).containsExactly("first", "second", "below");
  }

  @Test
  void wakerThatThrows_doesNotKeepTheOthersAsleep() {
    var token = CancelToken.create();
    var waker = new CountingWaker();
    var broken =
        token
            .cancelled()
            .poll(
                Context.of(() -> {
                  throw new IllegalStateException("broken waker, on purpose");
                }));
    assertThat(broken).isNull();
    assertThat(token.cancelled().poll(waker.context())).isNull();
    token.cancel();
    assertThat(waker.wakes).hasValue(1);
  }

  @Test
  void drop_unlinksTheWaiter_andItsTokenFromAllAbove() {
    var root = CancelToken.create();
    var middle = root.child();
    var leaf = middle.child();
    var waker = new CountingWaker();
    var first = leaf.cancelled();
    var second = leaf.cancelled();
    assertThat(root.hasWaiters()).isFalse();
    first.poll(waker.context());
    second.poll(waker.context());
    assertThat(root.hasWaiters()).isTrue();
    first.drop();
    assertThat(root.hasWaiters()).isTrue();
    second.drop();
    assertThat(leaf.hasWaiters()).isFalse();
    assertThat(middle.hasWaiters()).isFalse();
    assertThat(root.hasWaiters()).isFalse();
    root.cancel();
    assertThat(waker.wakes).hasValue(0);
  }

  @Test
  void drop_beforeTheFirstPoll_holdsNothing() {
    var token = CancelToken.create();
    token.cancelled().drop();
    token.guard(Futures.pending()).drop();
    assertThat(token.hasWaiters()).isFalse();
  }

  @Test
  void cancelOfAChild_unlinksItFromItsParent() {
    var root = CancelToken.create();
    var child = root.child();
    var waker = new CountingWaker();
    assertThat(child.cancelled().poll(waker.context())).isNull();
    child.cancel();
    assertThat(root.hasWaiters()).isFalse();
    assertThat(waker.wakes).hasValue(1);
    root.cancel();
    assertThat(waker.wakes).hasValue(1);
  }

  @Test
  void deepTree_isCancelledWithoutRecursion() {
    var root = CancelToken.create();
    List<CancelToken> chain = new ArrayList<>(List.of(root));
    var waker = new CountingWaker();
    int depth = 20_000;
    // From the top down, so that each waiter finds its parent enlisted: no depth on the stack.
    for (int i = 0; i < depth; i++) { // each poll looks at all levels
      var next = chain.getLast().child();
      assertThat(next.cancelled().poll(waker.context())).isNull();
      chain.add(next);
    }
    root.cancel();
    assertThat(waker.wakes).hasValue(depth);
  }

  // --- Guard ---

  /** Pending for a number of polls; knows whether it was dropped. */
  private static final class Steps implements Future<Integer> {
    private int left;
    private final boolean fails;
    int drops;

    Steps(int left, boolean fails) {
      this.left = left;
      this.fails = fails;
    }

    @Override
    @SuppressWarnings("NullAway") // null means pending
    public Integer poll(Context cx) throws IOException {
      if (left-- > 0) {
        return null;
      }
      if (fails) {
        throw new IOException("inner");
      }
      return 42;
    }

    @Override
    public void drop() {
      drops++;
    }
  }

  @Test
  void guard_letsValueAndFailureThrough_andLeavesNoWaiter() throws Exception {
    var token = CancelToken.create();
    var cx = new CountingWaker().context();
    var value = token.guard(new Steps(1, false));
    assertThat(value.poll(cx)).isNull();
    assertThat(token.hasWaiters()).isTrue();
    assertThat(value.poll(cx)).isEqualTo(42);
    var failure = token.guard(new Steps(1, true));
    assertThat(failure.poll(cx)).isNull();
    assertThatThrownBy(() -> failure.poll(cx)).isInstanceOf(IOException.class);
    assertThat(token.hasWaiters()).isFalse();
  }

  @Test
  void guard_cancelledOrDroppedBeforeEveryPoll_dropsTheInnerFutureOnce() throws Exception {
    for (int polls = 0; polls < 4; polls++) {
      for (boolean cancel : new boolean[] {true, false}) {
        var token = CancelToken.create().child();
        var inner = new Steps(10, false);
        var waker = new CountingWaker();
        var guarded = token.guard(inner);
        for (int i = 0; i < polls; i++) {
          assertThat(guarded.poll(waker.context())).isNull();
        }
        if (cancel) {
          token.cancel();
          assertThat(waker.wakes).hasValue(polls == 0 ? 0 : 1);
          assertThatThrownBy(() -> guarded.poll(waker.context()))
              .isInstanceOf(CancelledException.class);
        } else {
          guarded.drop();
        }
        assertThat(inner.drops).isEqualTo(1);
        assertThat(token.hasWaiters()).isFalse();
      }
    }
  }

  @Test
  void guard_valueOfThePollThatCancels_wins() throws Exception {
    var token = CancelToken.create();
    var guarded = token.guard(Futures.lazy(token::cancel));
    assertThat(guarded.poll(new CountingWaker().context())).isTrue();
  }

  @Test
  void guard_pendingInThePollThatCancels_ends() {
    var token = CancelToken.create();
    Future<Integer> cancelsAndWaits = Futures.lazy(token::cancel).andThen(yes -> Futures.pending());
    assertThatThrownBy(() -> token.guard(cancelsAndWaits).poll(new CountingWaker().context()))
        .isInstanceOf(CancelledException.class);
  }

  @Test
  void guard_endsATaskThatWaits() {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var token = CancelToken.create();
      var dropped = new AtomicBoolean();
      var task = rt.spawn(token.child().guard(Futures.pending().whenDone(() -> dropped.set(true))));
      Await.until(token::hasWaiters, "the task to wait");
      token.cancel();
      assertThatThrownBy(task::await).hasCauseInstanceOf(CancelledException.class);
      assertThat(dropped).isTrue();
    }
  }

  @Test
  void guard_dropsAStageIntoItsCancellation() {
    var token = CancelToken.create();
    var stage = new CompletableFuture<Integer>();
    var guarded = token.guard(Futures.from(stage));
    var cx = new CountingWaker().context();
    assertThat(poll(guarded, cx)).isNull();
    token.cancel();
    assertThatThrownBy(() -> guarded.poll(cx)).isInstanceOf(CancelledException.class);
    assertThat(stage).isCancelled();
  }

  private static <T> @org.jspecify.annotations.Nullable T poll(Future<T> future, Context cx) {
    try {
      return future.poll(cx);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  // --- Races ---

  @Test
  void cancelAgainstFirstPoll_neverLosesTheWake() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var root = CancelToken.create();
      var leaf = root.child().child();
      var waker = new CountingWaker();
      var wait = leaf.cancelled();
      var seen = new AtomicBoolean();
      Race.run(i -> root.cancel(), i -> seen.set(wait.poll(waker.context()) != null));
      assertThat(seen.get() || waker.wakes.get() > 0).as("round %s", round).isTrue();
      assertThat(wait.poll(waker.context())).isEqualTo(Done.DONE);
      assertThat(root.hasWaiters()).isFalse();
      assertThat(leaf.hasWaiters()).isFalse();
    }
  }

  @Test
  void cancelAgainstAChangeOfWaker_wakesTheNewOneOrIsSeen() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var root = CancelToken.create();
      var leaf = root.child();
      var old = new CountingWaker();
      var now = new CountingWaker();
      var wait = leaf.cancelled();
      assertThat(wait.poll(old.context())).isNull();
      var seen = new AtomicBoolean();
      Race.run(i -> root.cancel(), i -> seen.set(wait.poll(now.context()) != null));
      assertThat(seen.get() || now.wakes.get() == 1).as("round %s", round).isTrue();
    }
  }

  @Test
  void cancelAtTwoLevels_againstWaitersThatComeAndGo() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var root = CancelToken.create();
      var middle = root.child();
      var stays = middle.child().cancelled();
      var waker = new CountingWaker();
      assertThat(stays.poll(waker.context())).isNull();
      var cancels = new AtomicInteger();
      Race.run(
          i -> count(root.cancel(), cancels),
          i -> count(middle.cancel(), cancels),
          i -> {
            for (int n = 0; n < 20; n++) {
              UncheckedFuture<Done> passing = middle.child().cancelled();
              if (passing.poll(new CountingWaker().context()) == null) {
                passing.drop();
              }
            }
          });
      assertThat(waker.wakes).hasValue(1);
      assertThat(cancels.get()).isBetween(1, 2);
      assertThat(root.hasWaiters()).isFalse();
      assertThat(middle.hasWaiters()).isFalse();
    }
  }

  private static void count(boolean yes, AtomicInteger counter) {
    if (yes) {
      counter.incrementAndGet();
    }
  }

  @Test
  void manyGuardedTasks_allEnd() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(4).uncaughtHandler((what, t) -> {}).build()) {
      var token = CancelToken.create();
      List<JoinHandle<Object>> tasks = new ArrayList<>();
      Race.run(
          i -> {
            for (int n = 0; n < 5_000; n++) {
              tasks.add(
                  rt.spawn(token.child().guard(Task.yieldNow().andThen(d -> Futures.pending()))));
            }
          },
          i -> {
            Await.until(token::hasWaiters, "the first waiter");
            token.cancel();
          });
      for (var task : tasks) {
        assertThatThrownBy(task::await).hasCauseInstanceOf(CancelledException.class);
      }
      assertThat(token.hasWaiters()).isFalse();
    }
  }

  // --- Leaks ---

  @Test
  void millionShortLivedChildren_leaveNothingBehind() {
    var parent = CancelToken.create();
    var cx = new CountingWaker().context();
    for (int i = 0; i < 10_000; i++) {
      useOnce(parent, cx);
    }
    long before = Memory.usedHeapAfterCollection();
    for (int i = 0; i < 1_000_000; i++) {
      useOnce(parent, cx);
    }
    long grown = Memory.usedHeapAfterCollection() - before;
    // One retained child is 40 bytes or more: forty megabytes if they were kept.
    assertThat(grown).isLessThan(8_000_000);
    assertThat(parent.hasWaiters()).isFalse();
    assertThat(parent.isCancelled()).isFalse();
  }

  private static void useOnce(CancelToken parent, Context cx) {
    var child = parent.child();
    assertPending(child.isCancelled());
    UncheckedFuture<Done> wait = child.cancelled();
    assertPending(wait.poll(cx) != null);
    wait.drop(); // the child itself is simply forgotten
  }

  private static void assertPending(boolean ended) {
    if (ended) {
      throw new AssertionError("nobody cancelled it");
    }
  }

  @Test
  void onCancel_runsOnce_onTheThreadThatCancels() {
    var root = CancelToken.create();
    var runs = new ArrayList<Thread>();
    try (var registration = root.child().child().onCancel(() -> runs.add(Thread.currentThread()))) {
      assertThat(registration).hasToString("CancelToken.Registration[waiting]");
      root.cancel();
      root.cancel();
      assertThat(runs).containsExactly(Thread.currentThread());
      assertThat(registration).hasToString("CancelToken.Registration[over]");
    }
    assertThat(root.hasWaiters()).isFalse();
  }

  @Test
  void onCancel_ofACancelledToken_runsAtOnce() {
    var root = CancelToken.create();
    root.cancel();
    var runs = new AtomicInteger();
    root.child().onCancel(runs::incrementAndGet).close();
    assertThat(runs).hasValue(1);
  }

  @Test
  void onCancel_whenClosed_isForgotten() {
    var root = CancelToken.create();
    var child = root.child();
    var runs = new AtomicInteger();
    var registration = child.onCancel(runs::incrementAndGet);
    assertThat(root.hasWaiters()).isTrue();
    registration.close();
    registration.close();
    assertThat(root.hasWaiters()).isFalse();
    root.cancel();
    assertThat(runs).hasValue(0);
  }

  @Test
  void onCancel_runsInOrder_andAFailureIsToldAndHindersNobody() throws Exception {
    var token = CancelToken.create();
    var told = new ArrayList<String>();
    var ran = new ArrayList<Integer>();
    try (var runtime =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, failure) -> told.add(what + failure))
            .build()) {
      token.onCancel(() -> ran.add(1));
      token.onCancel(() -> {
        throw new IllegalStateException("on purpose");
      });
      token.onCancel(() -> ran.add(3));
      assertThat(runtime.run(Futures.lazy(token::cancel))).isTrue();
    }
    assertThat(ran).containsExactly(1, 3);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).contains("cancel action").contains("on purpose");
  }

  @Test
  void onCancel_mayCallBackIntoTheToken() {
    var token = CancelToken.create();
    var seen = new ArrayList<Boolean>();
    token.onCancel(() -> {
      seen.add(token.isCancelled());
      seen.add(token.cancel());
      token.onCancel(() -> seen.add(true)).close();
    });
    token.cancel();
    assertThat(seen).containsExactly(true, false, true);
  }

  @Test
  void race_ofCancelsAndClose_runsOnceAtMost_andLeavesNobodyWaiting() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var root = CancelToken.create();
      var child = root.child();
      var runs = new AtomicInteger();
      var registration = child.onCancel(runs::incrementAndGet);
      Race.run(index -> root.cancel(), index -> child.cancel(), index -> registration.close());
      assertThat(runs.get()).isLessThanOrEqualTo(1);
      assertThat(root.hasWaiters()).isFalse();
    }
  }

  @Test
  void race_ofCancelAndRegistration_alwaysRunsOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var root = CancelToken.create();
      var child = root.child();
      var runs = new AtomicInteger();
      Race.run(
          index -> root.cancel(),
          index -> assertThat(child.onCancel(runs::incrementAndGet)).isNotNull());
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void aHundredThousandLevels_enlistDelistAndCancel_withoutDeepCalls() throws Exception {
    CancelToken root = CancelToken.create();
    CancelToken leaf = root;
    for (int i = 0; i < 100_000; i++) {
      leaf = leaf.child();
    }
    Context cx = Context.of(() -> {});
    var dropped = leaf.cancelled();
    assertThat(dropped.poll(cx)).isNull();
    assertThat(root.hasWaiters()).isTrue();
    dropped.drop();
    assertThat(root.hasWaiters()).isFalse();
    var waits = leaf.cancelled();
    assertThat(waits.poll(cx)).isNull();
    assertThat(root.cancel()).isTrue();
    assertThat(waits.poll(cx)).isEqualTo(Done.DONE);
    assertThat(leaf.cancelled().poll(cx)).isEqualTo(Done.DONE);
  }

  /** It has the lock of the token below, which workers would then wait for. */
  @Test
  void aVirtualThreadThatWaitsForTheLockAbove_keepsItsCarrier() throws Exception {
    var root = CancelToken.create();
    var child = root.child();
    try (var hogs = new CarrierHogs()) {
      Thread waiting;
      root.lock().lock();
      try {
        waiting =
            hogs.startBeforeTheLast(() -> {
              var wait = child.cancelled();
              wait.poll(Context.of(() -> {}));
              wait.drop();
            });
        CarrierHogs.awaitInside(waiting, "lockInside");
      } finally {
        root.lock().unlock();
      }
      Await.until(() -> !waiting.isAlive(), "the virtual thread to get the lock above");
    }
  }
}
