package dev.blitz.io.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.task.FakeSchedule;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a scope tells its children to end, where one of them cannot be told. */
@Strict
@OnceIsEnough
class ScopeTellingTest {
  /** Ends as soon as it is cancelled; the first attempts may fail. */
  private static final class Child<T> extends JoinCell<T> {
    private final Home home = new FakeSchedule().home();
    private int failures;
    private int cancels;

    Child(int failures) {
      super("work", null);
      this.failures = failures;
    }

    @Override
    protected Home home() {
      return home;
    }

    @Override
    public boolean cancel() {
      cancels++;
      if (failures-- > 0) {
        throw new IllegalStateException("not now");
      }
      cancelTransition();
      toRunning();
      finishCancelled();
      return true;
    }
  }

  /** The second child fails when it is told for the first time. */
  private static final class Host implements Spawner {
    final List<Child<?>> children = new ArrayList<>();

    @Override
    public <T> JoinHandle<T> spawn(Future<? extends T> future) {
      var child = new Child<T>(children.size() == 1 ? 1 : 0);
      children.add(child);
      return child;
    }

    @Override
    public <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> JoinHandle<T> spawnBlocking(
        SpawnOptions options, ThrowingSupplier<? extends T> body) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aChildThatCannotBeToldNow_isToldByTheNextCancel_andTheOthersAtOnce() {
    var host = new Host();
    var scope = TaskScope.open(host); // not closed: that would wait for whom it has not told
    for (int i = 0; i < 4; i++) {
      scope.spawn(Futures.pending()).detach();
    }
    assertThatThrownBy(scope::cancel).isInstanceOf(IllegalStateException.class);
    assertThat(scope.token().isCancelled()).isTrue();
    assertThat(scope.children()).isEqualTo(List.of(host.children.get(1)));
    assertThat(scope.cancel()).as("the first was the one that did").isFalse();
    assertThat(scope.running()).isZero();
    assertThat(host.children).extracting(child -> child.cancels).containsExactly(1, 2, 1, 1);
  }
}
