package dev.blitz.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class ScopeTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void manyFailures_areCountedNotKept(int workers) {
    int failing = 5_000;
    try (var pool = Pool.of(workers)) {
      assertThatThrownBy(() ->
              pool.scope(s -> {
                for (int i = 0; i < failing; i++) {
                  int number = i;
                  s.spawn(() -> {
                    throw new IllegalStateException("job " + number);
                  });
                }
              }))
          .isInstanceOf(IllegalStateException.class)
          .satisfies(t -> assertCounted(t, failing));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void manyFailures_ofJoins_areCountedNotKept(int workers) {
    try (var pool = Pool.of(workers)) {
      assertThatThrownBy(() -> pool.run(() -> failAtEachLeaf(12)))
          .isInstanceOf(IllegalStateException.class)
          .satisfies(t -> assertCounted(t, 1 << 12));
    }
  }

  private static void failAtEachLeaf(int depth) {
    if (depth == 0) {
      throw new IllegalStateException("leaf");
    }
    Parallel.join(() -> failAtEachLeaf(depth - 1), () -> failAtEachLeaf(depth - 1));
  }

  private static void assertCounted(Throwable first, int failures) {
    int[] kept = new int[1];
    long[] dropped = new long[1];
    count(first, kept, dropped);
    assertThat(kept[0]).isBetween(2, 65);
    assertThat(kept[0] + dropped[0]).isEqualTo(failures);
  }

  private static void count(Throwable failure, int[] kept, long[] dropped) {
    String message = failure.getMessage();
    if (message != null && message.endsWith(" further failures were dropped")) {
      dropped[0] += Long.parseLong(message.substring(0, message.indexOf(' ')));
      return;
    }
    kept[0]++;
    for (Throwable below : failure.getSuppressed()) {
      count(below, kept, dropped);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void scope_waitsForEverySpawn(int workers) {
    try (var pool = Pool.of(workers)) {
      var count = new AtomicInteger();
      pool.scope(s -> {
        for (int i = 0; i < 10_000; i++) {
          s.spawn(count::incrementAndGet);
        }
      });
      assertThat(count).hasValue(10_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void spawn_fromSpawnedJobs_isWaitedFor(int workers) {
    try (var pool = Pool.of(workers)) {
      var count = new AtomicInteger();
      pool.scope(s -> branch(s, 12, count));
      assertThat(count).hasValue((1 << 13) - 1);
    }
  }

  private static void branch(Scope scope, int depth, AtomicInteger count) {
    count.incrementAndGet();
    if (depth > 0) {
      scope.spawn(() -> branch(scope, depth - 1, count));
      scope.spawn(() -> branch(scope, depth - 1, count));
    }
  }

  @Test
  void scope_nested_waitsForInnerFirst() {
    try (var pool = Pool.of(2)) {
      var outer = new AtomicInteger();
      pool.scope(s -> {
        for (int i = 0; i < 50; i++) {
          s.spawn(() -> {
            var inner = new AtomicInteger();
            Parallel.scope(t -> {
              for (int k = 0; k < 20; k++) {
                t.spawn(inner::incrementAndGet);
              }
            });
            assertThat(inner).hasValue(20);
            outer.incrementAndGet();
          });
        }
      });
      assertThat(outer).hasValue(50);
    }
  }

  @Test
  void scope_mixedWithJoins_keepsBothApart() {
    try (var pool = Pool.of(2)) {
      var spawned = new AtomicInteger();
      pool.scope(s -> {
        int sum =
            Parallel.joinInt(
                () -> {
                  s.spawn(spawned::incrementAndGet);
                  return 1;
                },
                () -> {
                  s.spawn(spawned::incrementAndGet);
                  return 2;
                },
                Integer::sum);
        assertThat(sum).isEqualTo(3);
      });
      assertThat(spawned).hasValue(2);
    }
  }

  @Test
  void spawn_startsBeforeTheBodyEnds() {
    try (var pool = Pool.of(2)) {
      var started = new CountDownLatch(1);
      pool.scope(s -> {
        s.spawn(started::countDown);
        JoinTest.await(started);
      });
    }
  }

  @Test
  void spawn_whenItFails_othersStillRun() {
    try (var pool = Pool.of(2)) {
      var count = new AtomicInteger();
      assertThatThrownBy(() ->
              pool.scope(s -> {
                for (int i = 0; i < 100; i++) {
                  int index = i;
                  s.spawn(() -> {
                    count.incrementAndGet();
                    if (index % 10 == 0) {
                      throw new IllegalStateException("job");
                    }
                  });
                }
              }))
          .isInstanceOf(IllegalStateException.class)
          .satisfies(t -> assertThat(t.getSuppressed()).hasSize(9));
      assertThat(count).hasValue(100);
    }
  }

  @Test
  void spawn_whenItThrowsChecked_wrapsIt() {
    try (var pool = Pool.of(1)) {
      assertThatThrownBy(() ->
              pool.scope(s ->
                  s.spawn(() -> {
                    throw new IOException("checked");
                  })))
          .isInstanceOf(JobFailedException.class)
          .hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void scope_whenBodyAndJobFail_bodyWins() {
    try (var pool = Pool.of(1)) {
      var body = new IOException("body");
      assertThatThrownBy(() ->
              pool.scope(s -> {
                s.spawn(() -> {
                  throw new AssertionError("job");
                });
                throw body;
              }))
          .isSameAs(body);
      assertThat(body.getSuppressed()).hasSize(1);
    }
  }

  @Test
  void spawn_fromAnotherThread_isAllowedWhileOpen() {
    try (var pool = Pool.of(2)) {
      var count = new AtomicInteger();
      pool.scope(s -> {
        Thread other = Thread.ofPlatform().start(() -> s.spawn(count::incrementAndGet));
        other.join();
      });
      assertThat(count).hasValue(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void spawn_afterTheEnd_isRefused() {
    try (var pool = Pool.of(1)) {
      var leaked = new AtomicReference<Scope>();
      pool.scope(leaked::set);
      assertThatThrownBy(() -> leaked.get().spawn(() -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ended");
    }
  }
}
