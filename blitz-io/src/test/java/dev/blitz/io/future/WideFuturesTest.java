package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Combinators over more branches than a poll has budget: none of them livelocks, and an event costs
 * the polls of its own branch.
 */
@Strict
class WideFuturesTest {
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();

  /** Polls of branches, and of the future that combines them. */
  private final AtomicInteger branchPolls = new AtomicInteger();

  private final AtomicInteger polls = new AtomicInteger();
  private final AtomicInteger first = new AtomicInteger();

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Counts the polls of {@code inner}, and the branches that had their first. */
  private <T> Future<T> counted(Future<T> inner) {
    return new Future<>() {
      private boolean begun;

      @Override
      public @Nullable T poll(Context cx) throws Exception {
        branchPolls.incrementAndGet();
        if (!begun) {
          begun = true;
          first.incrementAndGet();
        }
        return inner.poll(cx);
      }

      @Override
      public void drop() {
        inner.drop();
      }
    };
  }

  private <T> Future<T> countedWhole(Future<T> whole) {
    return new Future<>() {
      @Override
      public @Nullable T poll(Context cx) throws Exception {
        polls.incrementAndGet();
        return whole.poll(cx);
      }

      @Override
      public void drop() {
        whole.drop();
      }
    };
  }

  private <T> List<Future<T>> branches(int n, IntFunction<Future<T>> make) {
    return IntStream.range(0, n).mapToObj(i -> counted(make.apply(i))).toList();
  }

  private static List<Oneshot<Integer>> oneshots(int n) {
    return IntStream.range(0, n).mapToObj(i -> Oneshot.<Integer>create()).toList();
  }

  /** Waits for the first poll of each branch, then sees that a task with nothing to do is quiet. */
  private void awaitQuiet(int n) {
    Await.until(() -> first.get() == n, n + " first polls");
    Await.until(
        () -> {
          int before = polls.get();
          // Several turns of both workers: a task that wakes itself would be polled in between.
          for (int i = 0; i < 100; i++) {
            rt.run(Task.yieldNow());
          }
          return polls.get() == before;
        },
        "no polls while nothing happens",
        Timeouts.SHORT);
  }

  // --- All of them ---

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 129, 200, 10_000})
  void joinAll_ofOneshotsThatComeOneByOne_pollsInProportion(int n) throws Exception {
    List<Oneshot<Integer>> shots = oneshots(n);
    JoinHandle<List<Integer>> all =
        rt.spawn(
            countedWhole(
                Futures.joinAll(branches(n, i -> shots.get(i).receive().map(v -> v + 1)))));
    awaitQuiet(n);
    var order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    Collections.shuffle(order, new Random(7));
    for (int i : order) {
      shots.get(i).send(i);
    }
    assertThat(all.await()).isEqualTo(IntStream.rangeClosed(1, n).boxed().toList());
    if (n > 16) {
      assertThat(branchPolls.get()).as("polls of %d branches", n).isLessThanOrEqualTo(3 * n + 256);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 10_000})
  void joinAll_ofOneshotsThatAreAllThere_pollsInProportion(int n) throws Exception {
    List<Oneshot<Integer>> shots = oneshots(n);
    for (int i = 0; i < n; i++) {
      shots.get(i).send(i);
    }
    assertThat(
            rt.run(countedWhole(Futures.joinAll(branches(n, i -> shots.get(i).receive())))).size())
        .isEqualTo(n);
    assertThat(branchPolls.get()).isLessThanOrEqualTo(2 * n);
    assertThat(polls.get()).as("turns of 128 operations").isBetween(n / 128, n / 64 + 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 10_000})
  void joinAll_ofSleeps_semaphores_notifications_andTasks_ends(int n) throws Exception {
    var semaphore = Semaphore.create(0, 1_000_000);
    var notify = Notify.create();
    List<Future<?>> mixed = new ArrayList<>();
    JoinHandle<List<Object>> all =
        rt.spawn(
            countedWhole(
                Futures.done()
                    .andThen(d -> {
                      for (int i = 0; i < n; i++) {
                        mixed.add(
                            counted(
                                switch (i % 4) {
                                  case 0 -> Task.sleep(Duration.ofMillis(1 + i % 20));
                                  case 1 -> semaphore.acquire().map(p -> Done.DONE);
                                  case 2 -> notify.notified();
                                  default -> Task.spawn(Task.yieldNow());
                                }));
                      }
                      return Futures.<Object>joinAll(mixed);
                    })));
    awaitQuiet(n);
    semaphore.release(n);
    notify.notifyWaiters();
    assertThat(all.await()).hasSize(n);
    assertThat(branchPolls.get()).isLessThanOrEqualTo(4 * n + 256);
  }

  // --- The first ---

  @ParameterizedTest
  @ValueSource(ints = {129, 200, 10_000})
  void race_ofOneshots_waitsWithoutPolls_andEndsWithAnyOfThem(int n) throws Exception {
    for (int winner : new int[] {0, 127, 128, n - 1}) {
      first.set(0);
      List<Oneshot<Integer>> shots = oneshots(n);
      JoinHandle<Integer> race =
          rt.spawn(countedWhole(Futures.race(branches(n, i -> shots.get(i).receive()))));
      awaitQuiet(n);
      shots.get(winner).send(winner);
      assertThat(race.await()).isEqualTo(winner);
      assertThat(polls.getAndSet(0)).as("first poll, and one for the value").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 200, 2_000})
  void select_inALoopOverTheRest_takesThemAll(int n) throws Exception {
    List<Oneshot<Integer>> shots = oneshots(n);
    JoinHandle<Integer> sum =
        rt.spawn(() -> {
          List<Future<Integer>> left = new ArrayList<>(branches(n, i -> shots.get(i).receive()));
          int total = 0;
          while (!left.isEmpty()) {
            Selected<Integer> one = Futures.select(left).await();
            left.remove(one.index());
            total += one.value();
          }
          return total;
        });
    for (int i = n - 1; i >= 0; i--) {
      shots.get(i).send(i);
    }
    assertThat(sum.await()).isEqualTo(n * (n - 1) / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 10_000})
  void select_withHandlers_overManyBranches_ends(int n) throws Exception {
    List<Oneshot<Integer>> shots = oneshots(n);
    SelectBuilder<String> select = null;
    for (Future<Integer> branch : branches(n, i -> shots.get(i).receive())) {
      select =
          select == null ? Select.on(branch, v -> "got " + v) : select.on(branch, v -> "got " + v);
    }
    JoinHandle<String> first = rt.spawn(countedWhole(select.build()));
    awaitQuiet(n);
    shots.get(n / 2).send(3);
    assertThat(first.await()).isEqualTo("got 3");
  }

  @ParameterizedTest
  @ValueSource(ints = {129, 10_000})
  void taskRace_overManyTasks_pollsOnce_andCancelsTheOthers(int n) throws Exception {
    List<Oneshot<Integer>> shots = oneshots(n);
    List<JoinHandle<Integer>> tasks =
        shots.stream().map(s -> rt.<Integer>spawn(s.receive())).toList();
    JoinHandle<Integer> race =
        rt.spawn(countedWhole(Futures.race(tasks.stream().map(JoinHandle::cancelOnDrop).toList())));
    Await.until(() -> polls.get() > 0, "the first poll");
    shots.get(n - 1).send(5);
    assertThat(race.await()).isEqualTo(5);
    Await.until(() -> tasks.stream().allMatch(JoinHandle::isDone), "the end of the others");
    assertThat(polls.get()).isLessThanOrEqualTo(3);
  }

  // --- A leaf of one's own ---

  /** Ready when its flag says so; charges as the guide tells to. */
  private static final class Flag implements UncheckedFuture<Done> {
    volatile boolean up;
    volatile @Nullable Waker waker;

    @Override
    public @Nullable Done poll(Context cx) {
      if (!cx.proceed()) {
        return null;
      }
      waker = cx.waker();
      if (up) {
        return Done.DONE;
      }
      cx.refund();
      return null;
    }

    void raise() {
      up = true;
      Waker w = waker;
      if (w != null) {
        w.wake();
      }
    }
  }

  @Test
  void aLeafThatRefunds_doesNotUseUpTheBudget() throws Exception {
    int n = 16; // below the width of wakers of their own: each wake polls all
    List<List<Flag>> flags =
        IntStream.range(0, n)
            .mapToObj(i -> IntStream.range(0, n).mapToObj(j -> new Flag()).toList())
            .toList();
    JoinHandle<?> all =
        rt.spawn(
            countedWhole(
                Futures.joinAll(
                    flags.stream()
                        .map(row -> Futures.joinAll(row.stream().map(this::counted).toList()))
                        .toList())));
    awaitQuiet(n * n);
    assertThat(rt.stats().workers().stream().mapToLong(w -> w.forcedYields()).sum()).isZero();
    flags.forEach(row -> row.forEach(Flag::raise));
    all.await();
  }

  /** Its first owner has ended: whoever joins the same tasks takes the wakers of ended ones out. */
  @Test
  void aWideJoin_thatChangesItsTask_isStillWoken() throws Exception {
    List<Oneshot<Integer>> gates = new ArrayList<>();
    List<JoinHandle<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Oneshot<Integer> gate = Oneshot.create();
      gates.add(gate);
      tasks.add(rt.spawn(gate.receive()));
    }
    Future<List<Integer>> all = Futures.joinAll(tasks);
    rt.run(
        new Future<Done>() {
          @Override
          public Done poll(Context cx) throws Exception {
            assertThat(all.poll(cx)).isNull();
            return Done.DONE;
          }
        });
    for (int round = 0; round < 40; round++) { // enough for any bag to look for ended ones
      for (JoinHandle<Integer> task : tasks) {
        assertThat(task.poll(Context.of(() -> {}))).isNull();
      }
    }
    var polls = new AtomicInteger();
    var moved =
        rt.spawn(
            new Future<List<Integer>>() {
              @Override
              public @Nullable List<Integer> poll(Context cx) throws Exception {
                List<Integer> result = all.poll(cx);
                polls.incrementAndGet();
                return result;
              }
            });
    Await.until(() -> polls.get() > 0, "the second owner's first poll");
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).send(i);
    }
    assertThat(moved.await()).hasSize(20);
  }
}
