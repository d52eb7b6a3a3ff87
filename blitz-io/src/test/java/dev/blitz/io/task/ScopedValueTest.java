package dev.blitz.io.task;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Children see the scoped values of whoever opens their scope. */
@Strict
class ScopedValueTest {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();
  private static final ScopedValue<Integer> TRACE = ScopedValue.newInstance();
  private static final ScopedValue<String> UNBOUND = ScopedValue.newInstance();

  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private static String seen() {
    return USER.orElse("nobody") + " " + TRACE.orElse(0) + " " + UNBOUND.isBound();
  }

  @Test
  void childrenOfEachKind_seeWhatTheOpenerSees() throws Exception {
    List<String> seen =
        rt.run(() ->
            ScopedValue.where(USER, "ada")
                .where(TRACE, 7)
                .call(() -> {
                  try (var scope = TaskScope.open(pass(USER, TRACE, UNBOUND))) {
                    var direct = scope.spawn(ScopedValueTest::seen);
                    var blocking = scope.spawnBlocking(ScopedValueTest::seen);
                    var stackless =
                        scope.spawn(
                            Task.yieldNow().andThen(d -> Futures.lazy(ScopedValueTest::seen)));
                    var other =
                        ScopedValue.where(USER, "bob")
                            .call(() -> scope.spawn(ScopedValueTest::seen));
                    scope.join();
                    return List.of(direct.get(), blocking.get(), stackless.get(), other.get());
                  }
                }));
    assertThat(seen).containsOnly("ada 7 false").hasSize(4);
  }

  @Test
  void onlyWhatIsNamed_andTogetherWithOtherPolicies() throws Exception {
    String seen =
        rt.run(() ->
            ScopedValue.where(USER, "ada")
                .where(TRACE, 7)
                .call(() -> {
                  try (var scope = TaskScope.open(limit(1).and(pass(USER)).and(pass(USER)))) {
                    var child = scope.spawn(ScopedValueTest::seen);
                    scope.join();
                    return child.get();
                  }
                }));
    assertThat(seen).isEqualTo("ada 0 false");
    assertThat(limit(1).and(pass(USER)).and(pass(USER)).toString())
        .isEqualTo("ScopePolicy[limit(1), pass(1)]");
  }

  @Test
  void aDroppedChild_seesThemInItsDrop() throws Exception {
    var inDrop = new AtomicReference<>("none");
    rt.run(() ->
        ScopedValue.where(USER, "ada")
            .call(() -> {
              try (var scope = TaskScope.open(pass(USER))) {
                var begun = scope.spawn(Futures.<Done>pending().whenDone(() -> inDrop.set(seen())));
                Task.yieldNow().await();
                begun.cancel();
                scope.join();
                return Done.DONE;
              }
            }));
    assertThat(inDrop).hasValue("ada 0 false");
  }
}
