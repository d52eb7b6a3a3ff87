package dev.blitz.io.task;

import static dev.blitz.io.task.ScopePolicy.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.sync.Notify;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Children that spawn into their own scope with a limit. */
@Strict
class ScopeRoomTest {
  private final BlitzRuntime rt =
      BlitzRuntime.builder().workers(2).uncaughtHandler((what, t) -> {}).build();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void childrenThatAllWaitForEachOther_areTold(int limit) {
    assertThatThrownBy(() ->
            rt.run(() -> {
              var full = Notify.create();
              try (var scope = TaskScope.open(limit(limit))) {
                for (int i = 0; i < limit; i++) {
                  var told = full.notified(); // before a place is free nobody asks for one
                  scope.spawn(() -> {
                    told.await();
                    scope.spawn(() -> 1);
                  });
                }
                full.notifyWaiters();
                scope.join();
              }
            }))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage(
            "all "
                + limit
                + " children of a scope with a limit wait for room in it, each for the others: spawn"
                + " from outside, or into another scope");
  }

  @Test
  void aStacklessChild_isToldToo() {
    assertThatThrownBy(() ->
            rt.run(() -> {
              try (var scope = TaskScope.open(limit(1))) {
                scope.spawn(Futures.done().andThen(d -> scope.spawnWhenRoom(Futures.ready(1))));
                scope.join();
              }
            }))
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void childrenThatSpawnWhileOthersEnd_areServed() throws Exception {
    var ran = new AtomicInteger();
    rt.run(() -> {
      try (var scope = TaskScope.open(limit(4))) {
        for (int i = 0; i < 3; i++) { // one place is never taken by those who wait
          scope.spawn(() -> {
            for (int child = 0; child < 50; child++) {
              scope.spawn(ran::incrementAndGet);
            }
          });
        }
        scope.join();
      }
    });
    assertThat(ran).hasValue(150);
  }

  @Test
  void oneWhoIsNoChild_waitsForThemAll() throws Exception {
    var ran = new AtomicInteger();
    rt.run(() -> {
      try (var scope = TaskScope.open(limit(1))) {
        for (int i = 0; i < 200; i++) {
          scope.spawn(ran::incrementAndGet);
        }
        scope.join();
      }
    });
    assertThat(ran).hasValue(200);
  }
}
