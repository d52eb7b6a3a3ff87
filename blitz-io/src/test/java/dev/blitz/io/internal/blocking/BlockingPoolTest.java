package dev.blitz.io.internal.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.LogCapture;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.task.FakeSchedule;
import dev.blitz.io.internal.task.Owned;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class BlockingPoolTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final FakeSchedule schedule = new FakeSchedule();
  private final List<BlockingPool> pools = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  private BlockingPool pool(int cap, Duration keepAlive, Consumer<Thread> starter) {
    return pool(cap, keepAlive, starter, null);
  }

  private BlockingPool pool(
      int cap, Duration keepAlive, Consumer<Thread> starter, @Nullable BlockingPool cancels) {
    var pool =
        new BlockingPool(
            schedule.home(), "blocking-", cap, keepAlive, Machine.startingBy(starter), cancels);
    pools.add(pool);
    return pool;
  }

  private BlockingPool poolWithoutMemory() {
    var pool =
        new BlockingPool(
            FakeSchedule.withoutMemory().home(), "blocking-", 1, LONG, Machine.REAL, null);
    pools.add(pool);
    return pool;
  }

  private BlockingPool pool(int cap) {
    return pool(cap, LONG, Thread::start);
  }

  @AfterEach
  void closePools() {
    gate.countDown();
    pools.forEach(p -> assertThat(p.close(inTime())).isEmpty());
    assertThat(pools).allMatch(p -> p.threadCount() == 0);
  }

  private static LongSupplier inTime() {
    return within(Timeouts.MEDIUM);
  }

  private static LongSupplier within(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    return () -> deadline;
  }

  private static <T> JoinHandle<T> submit(BlockingPool pool, ThrowingSupplier<T> body) {
    return pool.submit(body, false, null);
  }

  /** A call that runs until the gate opens, whatever interrupts it. */
  private ThrowingSupplier<Done> stuck(CountDownLatch started) {
    return () -> {
      started.countDown();
      awaitGate();
      return Done.DONE;
    };
  }

  private void awaitGate() {
    boolean open = false;
    while (!open) {
      try {
        open = gate.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        // deaf on purpose
      }
    }
  }

  private ThrowingSupplier<Done> waiting(CountDownLatch started) {
    return () -> {
      started.countDown();
      gate.await();
      return Done.DONE;
    };
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
  }

  // --- Threads
  // ------------------------------------------------------------------------------------

  @Test
  void thread_thatCannotTellOfAFailure_goesOnWithTheNextCall() throws Exception {
    var pool = poolWithoutMemory();
    JoinHandle<Done> first =
        submit(
            pool,
            () -> {
              gate.await();
              throw new InternalError("of the call");
            });
    JoinHandle<Integer> second = submit(pool, () -> 2);
    gate.countDown();
    Await.until(second::isDone, "the call behind it");
    assertThat(second.get()).isEqualTo(2);
    assertThatThrownBy(first::get).isInstanceOf(TaskFailedException.class);
  }

  @Test
  void thread_whoseClockFails_isThereForTheNextCall() {
    var pool = poolWithoutMemory();
    for (int i = 0; i < 3; i++) {
      JoinHandle<Done> call = submit(pool, () -> Done.DONE);
      Await.until(call::isDone, "the call");
      Await.until(() -> pool.idleCount() == 1, "an idle thread");
      assertThat(pool.threadCount()).isEqualTo(1);
    }
  }

  @Test
  void threads_startOnDemand_upToTheCap() throws Exception {
    var pool = pool(3);
    assertThat(pool.threadCount()).isZero();
    var started = new CountDownLatch(3);
    for (int i = 1; i <= 3; i++) {
      submit(pool, waiting(started));
      assertThat(pool.threadCount()).isEqualTo(i);
    }
    await(started);
    JoinHandle<Done> queued = submit(pool, waiting(started));
    assertThat(pool.threadCount()).isEqualTo(3);
    assertThat(pool.queueLength()).isEqualTo(1);
    assertThat(pool.idleCount()).isZero();
    assertThat(pool.submitted()).isEqualTo(4);
    gate.countDown();
    assertThat(queued.await()).isEqualTo(Done.DONE);
    Await.until(() -> pool.idleCount() == 3, "idle threads");
    assertThat(pool.queueLength()).isZero();
  }

  @Test
  void anIdleThread_isUsedAgain() throws Exception {
    var pool = pool(8);
    Set<Thread> used = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 50; i++) {
      submit(pool, () -> used.add(Thread.currentThread())).await();
      Await.until(() -> pool.idleCount() == 1, "the thread to be idle");
    }
    assertThat(used).hasSize(1);
    assertThat(used).allMatch(t -> t.isDaemon() && t.getName().equals("blocking-0"));
  }

  @Test
  void twoQuickSubmits_neverShareOneIdleThread() throws Exception {
    var pool = pool(2);
    submit(pool, () -> 1).await();
    Await.until(() -> pool.idleCount() == 1, "one idle thread");
    for (int round = 0; round < 200; round++) {
      int idle = pool.idleCount();
      assertThat(idle).isPositive();
      // Each waits for the other: on one thread they would never meet.
      var meet = new CountDownLatch(2);
      ThrowingSupplier<Boolean> body =
          () -> {
            meet.countDown();
            return meet.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
          };
      JoinHandle<Boolean> a = submit(pool, body);
      JoinHandle<Boolean> b = submit(pool, body);
      assertThat(a.await()).isTrue();
      assertThat(b.await()).isTrue();
      Await.until(() -> pool.idleCount() == 2, "both idle");
    }
    assertThat(pool.threadCount()).isEqualTo(2);
  }

  @Test
  void idleThreads_endAfterTheKeepAlive() throws Exception {
    var pool = pool(4, Duration.ofMillis(20), Thread::start);
    var meet = new CountDownLatch(4);
    List<JoinHandle<Done>> handles = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      handles.add(
          submit(
              pool,
              () -> {
                meet.countDown();
                meet.await();
                return Done.DONE;
              }));
    }
    for (var h : handles) {
      assertThat(h.await()).isEqualTo(Done.DONE);
    }
    Await.until(() -> pool.threadCount() == 0, "the threads' end");
    assertThat(pool.idleCount()).isZero();
    assertThat(submit(pool, () -> 5).await()).as("and starts again").isEqualTo(5);
  }

  @Test
  void close_ofAThreadThatHasLeftAndNotEnded_waitsForIt() throws Exception {
    var left = new CountDownLatch(1);
    var own = new AtomicReference<BlockingPool>();
    var thread = new AtomicReference<Thread>();
    Runnable hears =
        () -> {
          BlockingPool pool = own.get();
          if (pool != null && pool.threadCount() == 0) {
            left.countDown();
            awaitGate();
          }
        };
    var starter =
        Machine.startingBy(t -> {
          thread.set(t);
          t.start();
        });
    var pool =
        new BlockingPool(
            FakeSchedule.whoseClock(hears).home(),
            "blocking-",
            1,
            Duration.ofNanos(1),
            starter,
            null);
    own.set(pool);
    pools.add(pool);
    submit(pool, () -> Done.DONE).await();
    left.await();
    assertThat(pool.close(within(Duration.ZERO))).containsExactly(thread.get());
    gate.countDown();
    assertThat(pool.close(inTime())).isEmpty();
    assertThat(thread.get().isAlive()).isFalse();
  }

  @Test
  void close_pastItsDeadline_besideCancels_endsEachCall() throws Exception {
    for (int round = 0; round < 300; round++) {
      var pool = pool(1, Duration.ofSeconds(10), Thread::start);
      var started = new CountDownLatch(1);
      submit(pool, stuck(started));
      started.await();
      List<JoinHandle<Done>> queued = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        queued.add(pool.submit(() -> Done.DONE, true, null)); // mandatory: left to the end
      }
      Thread canceller = Thread.ofPlatform().start(() -> queued.forEach(JoinHandle::cancel));
      pool.close(within(Duration.ZERO));
      canceller.join();
      assertThat(queued).allMatch(JoinHandle::isDone);
    }
  }

  @Test
  void keepAliveRacingSubmits_losesNoTask() throws Exception {
    var pool = pool(2, Duration.ofNanos(50_000), Thread::start);
    Race.run(
        2,
        index -> {
          for (int i = 0; i < 500; i++) {
            assertThat(submit(pool, () -> 1).await()).isEqualTo(1);
          }
        });
    Await.until(() -> pool.threadCount() == 0, "the threads' end");
    assertThat(pool.idleCount()).isZero();
  }

  @Test
  void tasksStartInTheOrderOfSubmission() throws Exception {
    var pool = pool(1);
    var order = Collections.synchronizedList(new ArrayList<Integer>());
    submit(pool, waiting(new CountDownLatch(1)));
    List<JoinHandle<Boolean>> handles = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int n = i;
      handles.add(submit(pool, () -> order.add(n)));
    }
    gate.countDown();
    for (var h : handles) {
      assertThat(h.await()).isTrue();
    }
    assertThat(order).isSorted().hasSize(100);
  }

  @Test
  void aThreadThatCannotStart_refusesTheFirstTask_andLeavesLaterOnesToTheOthers() throws Exception {
    var refuse = new AtomicBoolean(true);
    var pool =
        pool(
            3,
            LONG,
            t -> {
              if (refuse.get()) {
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            });
    assertThatThrownBy(() -> submit(pool, () -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("cannot start blocking-0")
        .hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(pool.queueLength()).isZero();
    assertThat(pool.threadCount()).isZero();
    refuse.set(false);
    var started = new CountDownLatch(1);
    JoinHandle<Done> first = submit(pool, waiting(started));
    await(started);
    refuse.set(true);
    JoinHandle<Integer> second = submit(pool, () -> 2);
    assertThat(schedule.told()).hasSize(1).first().isInstanceOf(OutOfMemoryError.class);
    gate.countDown();
    assertThat(second.await()).isEqualTo(2);
    assertThat(first.await()).isEqualTo(Done.DONE);
  }

  @Test
  void cancel_whoseActionFindsNoThread_canBeAskedAgain() throws Exception {
    var refuse = new AtomicBoolean(true);
    var cancels =
        pool(
            1,
            LONG,
            t -> {
              if (refuse.get()) {
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            });
    var pool = pool(1, LONG, Thread::start, cancels);
    var started = new CountDownLatch(1);
    var actions = new AtomicInteger();
    var extras =
        new TaskExtras(
            null,
            null,
            () -> {
              actions.incrementAndGet();
              gate.countDown();
            });
    JoinHandle<Done> call = pool.submit(stuck(started), false, extras);
    await(started);
    assertThat(call.cancel()).isTrue();
    assertThat(schedule.told()).hasSize(1);
    refuse.set(false);
    assertThat(call.cancel()).as("asked before").isFalse();
    Await.until(call::isDone, "the call");
    call.cancel();
    assertThat(actions).hasValue(1);
  }

  /** As when a scope is cancelled by what one of its calls owned. */
  @Test
  void cancel_ofACallThatHasNotBegun_byWhatItOwns_runsNoAction() throws Exception {
    var cancels = pool(1);
    var pool = pool(1, LONG, Thread::start, cancels);
    var started = new CountDownLatch(1);
    submit(pool, waiting(started));
    await(started);
    var call = new AtomicReference<JoinHandle<Done>>();
    var actions = new AtomicInteger();
    var owned = new Owned(() -> call.get().cancel());
    call.set(
        pool.submit(() -> Done.DONE, false, new TaskExtras(null, owned, actions::incrementAndGet)));
    assertThat(call.get().cancel()).isTrue();
    assertThat(submit(cancels, () -> 1).await()).as("what was queued before is done").isEqualTo(1);
    assertThat(actions).hasValue(0);
  }

  @Test
  void cancel_whenNoActionCanRunAnyMore_tellsNobody() throws Exception {
    var cancels = pool(1);
    var pool = pool(1, LONG, Thread::start, cancels);
    var started = new CountDownLatch(1);
    var actions = new AtomicInteger();
    var extras = new TaskExtras(null, null, actions::incrementAndGet);
    JoinHandle<Done> call = pool.submit(stuck(started), false, extras);
    await(started);
    assertThat(cancels.close(inTime())).isEmpty();
    assertThat(call.cancel()).isTrue();
    assertThat(call.cancel()).isFalse();
    assertThat(schedule.told()).isEmpty();
    assertThat(actions).hasValue(0);
  }

  @Test
  void callsThatHaveEnded_doNotKeepTheirCancelActions() throws Exception {
    var pool = pool(1, LONG, Thread::start, pool(1));
    List<WeakReference<Object>> actions = new ArrayList<>();
    var started = new CountDownLatch(1);
    JoinHandle<Done> run = pool.submit(waiting(started), false, withAction(actions));
    JoinHandle<Done> unbegun = pool.submit(() -> Done.DONE, false, withAction(actions));
    unbegun.cancel();
    gate.countDown();
    run.await();
    Await.untilCollected(
        () -> actions.stream().allMatch(action -> action.refersTo(null)), "the actions");
    assertThat(run.isDone() && unbegun.isDone()).isTrue();
  }

  private static TaskExtras withAction(List<WeakReference<Object>> actions) {
    var captured = new AtomicInteger();
    actions.add(new WeakReference<>(captured));
    return new TaskExtras(null, null, captured::incrementAndGet);
  }

  // --- Results
  // ------------------------------------------------------------------------------------

  /** As one whose start overflows on its way back: it is there, and is counted once. */
  @Test
  void aThreadWhoseStartThrowsAfterIt_runsTheTask_andIsCountedOnce() throws Exception {
    BlockingPool pool =
        pool(
            2,
            LONG,
            thread -> {
              thread.start();
              throw new StackOverflowError("made up");
            });
    for (int i = 0; i < 2; i++) {
      assertThat(pool.submit(() -> "done", false, null).await()).isEqualTo("done");
      Await.until(() -> pool.idleCount() == 1, "its thread is idle");
      assertThat(pool.threadCount()).isEqualTo(1);
    }
  }

  @Test
  void resultFailureAndNull_reachTheHandle() throws Exception {
    var pool = pool(1);
    assertThat(submit(pool, () -> "v").await()).isEqualTo("v");
    JoinHandle<Object> failed =
        submit(
            pool,
            () -> {
              throw new IOException("x");
            });
    assertThatThrownBy(failed::await)
        .isInstanceOf(TaskFailedException.class)
        .hasCauseInstanceOf(IOException.class);
    JoinHandle<Object> nothing = submit(pool, BlockingPoolTest::nothing);
    assertThatThrownBy(nothing::await).hasMessageContaining("returned null");
    JoinHandle<Object> error =
        submit(
            pool,
            () -> {
              throw new AssertionError("e");
            });
    assertThatThrownBy(error::await).hasCauseInstanceOf(AssertionError.class);
    assertThat(submit(pool, () -> 1).await()).as("the thread lives on").isEqualTo(1);
    assertThat(pool.threadCount()).isEqualTo(1);
  }

  @SuppressWarnings("NullAway") // what a careless user does
  private static Object nothing() {
    return null;
  }

  @Test
  void completion_wakesTheWaitersWaker() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Done> handle = submit(pool, waiting(started));
    await(started);
    var woken = new CountDownLatch(1);
    assertThat(handle.poll(Context.of(woken::countDown))).isNull();
    gate.countDown();
    await(woken);
    assertThat(handle.poll(Context.of(() -> {}))).isEqualTo(Done.DONE);
  }

  // --- Cancelling
  // ---------------------------------------------------------------------------------

  @Test
  void cancel_ofAQueuedTask_removesIt() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    submit(pool, waiting(started));
    await(started);
    var ran = new AtomicInteger();
    List<JoinHandle<Integer>> queued = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      queued.add(submit(pool, ran::incrementAndGet));
    }
    for (int i : new int[] {2, 0, 4}) { // the middle, the head, the tail
      assertThat(queued.get(i).cancel()).isTrue();
      assertThat(queued.get(i).cancel()).isFalse();
      assertThat(queued.get(i).isDone()).isTrue();
      assertThatThrownBy(queued.get(i)::await).isInstanceOf(CancelledException.class);
    }
    assertThat(pool.queueLength()).isEqualTo(2);
    gate.countDown();
    assertThat(queued.get(1).await() + queued.get(3).await()).isEqualTo(3);
    assertThat(ran).hasValue(2);
  }

  @Test
  void cancel_ofARunningTask_interruptsIt() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Done> handle = submit(pool, waiting(started));
    await(started);
    assertThat(handle.cancel()).isTrue();
    assertThat(handle.cancel()).isFalse();
    assertThatThrownBy(handle::await).isInstanceOf(CancelledException.class);
    assertThat(schedule.told()).isEmpty();
  }

  @Test
  void cancel_ofATaskThatIgnoresIt_letsItsValueWin() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Done> handle = submit(pool, stuck(started));
    await(started);
    assertThat(handle.cancel()).isTrue();
    gate.countDown();
    assertThat(handle.await()).isEqualTo(Done.DONE);
  }

  @Test
  void anInterrupt_neverLeaksIntoTheNextTask() throws Exception {
    var pool = pool(1);
    for (int round = 0; round < 500; round++) {
      var started = new CountDownLatch(1);
      JoinHandle<Done> first =
          submit(
              pool,
              () -> {
                started.countDown();
                return Done.DONE;
              });
      JoinHandle<Boolean> next = submit(pool, () -> Thread.currentThread().isInterrupted());
      await(started);
      first.cancel(); // running, ending or ended
      assertThat(next.await()).as("round " + round).isFalse();
    }
  }

  @Test
  void aTaskThatInterruptsItself_doesNotDisturbTheNext() throws Exception {
    var pool = pool(1);
    JoinHandle<Done> rude =
        submit(
            pool,
            () -> {
              Thread.currentThread().interrupt();
              return Done.DONE;
            });
    JoinHandle<Boolean> next = submit(pool, () -> Thread.currentThread().isInterrupted());
    assertThat(rude.await()).isEqualTo(Done.DONE);
    assertThat(next.await()).isFalse();
  }

  @Test
  void cancelsFromTwoThreads_exactlyOneAsked() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    submit(pool, waiting(started));
    await(started);
    for (int round = 0; round < 500; round++) {
      JoinHandle<Integer> queued = submit(pool, () -> 1);
      var asked = new AtomicInteger();
      Race.run(
          2,
          index -> {
            if (queued.cancel()) {
              asked.incrementAndGet();
            }
          });
      assertThat(asked).hasValue(1);
      assertThat(queued.outcome()).isInstanceOf(Outcome.Cancelled.class);
    }
  }

  @Test
  void cancelRacingTheStart_endsInOneWay() throws Exception {
    var pool = pool(1);
    for (int round = 0; round < 300; round++) {
      JoinHandle<Integer> handle = submit(pool, () -> 7);
      boolean asked = handle.cancel();
      Await.until(handle::isDone, "the end");
      switch (handle.outcome()) {
        case Outcome.Success<Integer>(var value) -> assertThat(value).isEqualTo(7);
        case Outcome.Cancelled<Integer> _ -> assertThat(asked).isTrue();
        case Outcome.Failure<Integer>(var cause) -> throw new AssertionError(cause);
      }
    }
    assertThat(pool.queueLength()).isZero();
  }

  // --- Closing
  // ------------------------------------------------------------------------------------

  @Test
  void close_runsMandatoryTasks_cancelsTheRest_andRefusesNewOnes() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Done> running = submit(pool, waiting(started));
    await(started);
    JoinHandle<Integer> mandatory = pool.submit(() -> 1, true, null);
    JoinHandle<Integer> optional = submit(pool, () -> 2);
    JoinHandle<Integer> mandatoryToo = pool.submit(() -> 3, true, null);
    assertThat(pool.close(inTime())).isEmpty();
    assertThatThrownBy(running::await).isInstanceOf(CancelledException.class);
    assertThat(mandatory.await()).isEqualTo(1);
    assertThatThrownBy(optional::await).isInstanceOf(CancelledException.class);
    assertThat(mandatoryToo.await()).isEqualTo(3);
    assertThatThrownBy(() -> submit(pool, () -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("closed");
    assertThat(pool.close(inTime())).isEmpty();
  }

  @Test
  void close_whenTellingOfACancelFails_cancelsTheOthersToo() throws Exception {
    var pool = poolWithoutMemory();
    var started = new CountDownLatch(1);
    JoinHandle<Done> running = submit(pool, waiting(started));
    await(started);
    Owned failing =
        new Owned(() -> {
          throw new InternalError("of a close");
        });
    List<JoinHandle<Done>> queued = new ArrayList<>();
    queued.add(pool.submit(() -> Done.DONE, false, new TaskExtras(null, failing, null)));
    queued.add(submit(pool, () -> Done.DONE));
    try (var log = new LogCapture()) {
      assertThat(pool.close(inTime())).isEmpty();
      assertThat(log.messages()).hasSize(1);
    }
    assertThat(queued).allMatch(call -> call.outcome() instanceof Outcome.Cancelled);
    assertThatThrownBy(running::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void close_doesNotInterruptAMandatoryTaskThatRuns() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Boolean> mandatory =
        pool.submit(
            () -> {
              started.countDown();
              gate.await();
              return Thread.currentThread().isInterrupted();
            },
            true,
            null);
    await(started);
    var closed = new CountDownLatch(1);
    Race.run(
        closer -> {
          assertThat(pool.close(inTime())).isEmpty();
          closed.countDown();
        },
        opener -> {
          Await.until(() -> refuses(pool), "the close to have begun");
          gate.countDown();
        });
    assertThat(mandatory.await()).isFalse();
    await(closed);
  }

  private static boolean refuses(BlockingPool pool) {
    try {
      submit(pool, () -> 1);
      return false;
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  @Test
  void close_pastItsDeadline_resolvesEveryHandle() throws Exception {
    var pool = pool(1);
    var started = new CountDownLatch(1);
    JoinHandle<Done> deaf = submit(pool, stuck(started));
    await(started);
    JoinHandle<Integer> mandatory = pool.submit(() -> 1, true, null);
    JoinHandle<Integer> optional = submit(pool, () -> 2);
    List<Thread> alive = pool.close(within(Duration.ofMillis(1)));
    assertThat(alive).extracting(Thread::getName).containsExactly("blocking-0");
    assertThat(deaf.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThat(optional.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThat(mandatory.isDone()).as("nobody waits for a thread that may never return").isTrue();
    gate.countDown();
    alive.getFirst().join();
    assertThat(deaf.outcome())
        .as("the late value is too late")
        .isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void close_byAnInterruptedThread_stillWaits_andKeepsTheInterrupt() throws Exception {
    var pool = pool(2);
    var started = new CountDownLatch(2);
    JoinHandle<Done> a = pool.submit(waiting(started), true, null);
    JoinHandle<Done> b = pool.submit(waiting(started), true, null);
    await(started);
    Race.run(
        closer -> {
          Thread.currentThread().interrupt();
          assertThat(pool.close(inTime())).isEmpty();
          assertThat(Thread.interrupted()).isTrue();
        },
        opener -> {
          Await.until(() -> refuses(pool), "the close to have begun");
          gate.countDown();
        });
    assertThat(a.await()).isEqualTo(Done.DONE);
    assertThat(b.await()).isEqualTo(Done.DONE);
  }

  @Test
  void closeRacingSubmits_everyHandleResolves() throws Exception {
    for (int round = 0; round < 50; round++) {
      var pool = pool(2);
      var accepted = Collections.synchronizedList(new ArrayList<JoinHandle<Integer>>());
      Race.run(
          3,
          index -> {
            if (index == 0) {
              assertThat(pool.close(inTime())).isEmpty();
              return;
            }
            for (int i = 0; i < 10; i++) {
              try {
                accepted.add(pool.submit(() -> 1, index == 1, null));
              } catch (RejectedExecutionException e) {
                return;
              }
            }
          });
      assertThat(accepted).allMatch(JoinHandle::isDone);
    }
  }
}
