package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A seed decides the order of polls of a runtime with one worker. */
@Strict
class SeedTest {
  private static final int TASKS = 12;
  private static final int TURNS = 3;

  @FunctionalInterface
  private interface Program {
    void run(BlitzRuntime rt, List<Integer> order) throws Exception;
  }

  private static List<Integer> order(long seed, Program program) throws Exception {
    List<Integer> order = new ArrayList<>();
    try (var rt =
        BlitzRuntime.builder().workers(1).seed(seed).clock(new ManualTimeSource(true)).build()) {
      program.run(rt, order);
    }
    assertThat(order).as("each task has all its turns").hasSize(TASKS * TURNS);
    for (int id = 0; id < TASKS; id++) {
      int task = id;
      assertThat(order.stream().filter(n -> n == task).count()).isEqualTo(TURNS);
    }
    return order;
  }

  private static void check(Program program) throws Exception {
    Set<List<Integer>> orders = new HashSet<>();
    for (long seed = 1; seed <= 6; seed++) {
      List<Integer> first = order(seed, program);
      for (int again = 0; again < 3; again++) {
        assertThat(order(seed, program)).as("seed " + seed).isEqualTo(first);
      }
      orders.add(first);
    }
    assertThat(orders).as("six seeds").hasSize(6);
  }

  private static final class Turns implements Future<Done> {
    private final int id;
    private final List<Integer> order;
    private int turns;

    Turns(int id, List<Integer> order) {
      this.id = id;
      this.order = order;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      order.add(id);
      if (++turns == TURNS) {
        return Done.DONE;
      }
      cx.waker().wake();
      return null;
    }
  }

  @Test
  void tasks() throws Exception {
    check((rt, order) ->
        rt.run(
            Futures.lazy(
                    () -> {
                      List<JoinHandle<Done>> tasks = new ArrayList<>();
                      for (int id = 0; id < TASKS; id++) {
                        tasks.add(Task.spawn(new Turns(id, order)));
                      }
                      return Futures.joinAll(tasks);
                    })
                .andThen(all -> all)));
  }

  @Test
  void tasksThatSleep() throws Exception {
    check((rt, order) ->
        rt.run(
            Futures.lazy(
                    () -> {
                      List<JoinHandle<Done>> tasks = new ArrayList<>();
                      for (int id = 0; id < TASKS; id++) {
                        tasks.add(
                            Task.spawn(
                                Task.sleep(Duration.ofMillis(1 + id % 3))
                                    .andThen(dep(new Turns(id, order)))));
                      }
                      return Futures.joinAll(tasks);
                    })
                .andThen(all -> all)));
  }

  private static dev.blitz.io.future.ThrowingFunction<Done, Future<Done>> dep(Future<Done> next) {
    return done -> next;
  }

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
  void directTasks() throws Exception {
    assumeTrue(Carriers.here().own(), "the JDK orders the threads it carries");
    check((rt, order) ->
        rt.run(() -> {
          List<JoinHandle<Done>> tasks = new ArrayList<>();
          for (int id = 0; id < TASKS; id++) {
            int task = id;
            tasks.add(
                Task.spawn(() -> {
                  for (int turn = 0; turn < TURNS; turn++) {
                    order.add(task);
                    Thread.yield();
                  }
                }));
          }
          for (JoinHandle<Done> task : tasks) {
            task.await();
          }
        }));
  }

  @Test
  void aRingfullOfTasks_allRun() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).seed(7).build()) {
      List<JoinHandle<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        int n = i;
        tasks.add(rt.spawn(Task.yieldNow().map(d -> n)));
      }
      long sum = 0;
      for (JoinHandle<Integer> task : tasks) {
        sum += task.await();
      }
      assertThat(sum).isEqualTo(5_000L * 4_999 / 2);
    }
  }
}
