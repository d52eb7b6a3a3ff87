package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepStack;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.signal.Signal;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Calls that meet the end of the stack have done nothing, or all. */
@OnceIsEnough
class ProcessDeepStackTest {
  private static final int LEVELS = 2_000;

  abstract static class Calls extends ProcessWorld {
    Calls(Spawning way, @Nullable String backend) {
      super(way, backend);
    }

    final Child sleeping() throws Exception {
      return runtime.run(command("sleep", "1000").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start());
    }

    @Test
    void waits_leaveAChildThatCanBeKilled() throws Exception {
      try (Child child = sleeping()) {
        Context cx = Context.of(() -> {});
        int overflows =
            DeepStack.climb(
                LEVELS,
                level -> {
                  var end = child.exited();
                  assertThat(end.poll(cx)).isNull();
                  end.drop();
                  assertThat(child.tryStatus()).isEmpty();
                });
        assertThat(overflows).isPositive();
        assertThat(child.kill()).isTrue();
        assertThat(child.exited().await().signal()).contains(Signal.KILL);
      }
    }

    @Test
    void closes_kill() throws Exception {
      for (int i = 0; i < 3; i++) {
        Child child = sleeping();
        assertThat(DeepStack.climb(LEVELS, level -> child.close())).isBetween(1, LEVELS - 1);
        assertThat(child.exited().await().signal()).contains(Signal.KILL);
      }
    }

    /** A drop that returns has closed what it owns: it is not made again. */
    @Test
    void drops_ofWholeRuns_killAndCloseThePipes() throws Exception {
      Context cx = Context.of(() -> {});
      long before = pipes();
      for (int i = 0; i < 3; i++) {
        var run =
            new RunFuture<>(List.of(command("sleep", "1000").stdout(Stdio.pipe())), Child::exited);
        Await.until(
            () -> {
              runtime.run(Futures.lazy(() -> String.valueOf(run.poll(cx))));
              return pipes() > before;
            },
            "it was started");
        boolean[] dropped = {false};
        int overflows =
            DeepStack.climb(
                LEVELS,
                level -> {
                  if (!dropped[0]) {
                    run.drop();
                    dropped[0] = true;
                  }
                });
        assertThat(overflows).isBetween(1, LEVELS - 1);
        Await.until(() -> pipes() == before, "the pipes are closed");
      }
    }

    private static long pipes() throws IOException {
      try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
        return all.filter(Calls::isPipe).count();
      }
    }

    private static boolean isPipe(Path fd) {
      try {
        return Files.readSymbolicLink(fd).toString().startsWith("pipe:");
      } catch (IOException e) {
        return false; // it has been closed meanwhile
      }
    }

    @Test
    void detaches_closeThePipes() throws Exception {
      Child child = sleeping();
      assertThat(DeepStack.climb(LEVELS, level -> child.detach())).isBetween(1, LEVELS - 1);
      child.close();
      assertThat(child.kill()).as("it was left alone").isTrue();
      assertThat(child.exited().await().signal()).contains(Signal.KILL);
    }
  }

  @Nested
  class Native extends Calls {
    Native() {
      super(new NativeSpawning(), "epoll");
    }

    @Test
    void signals_areSentOrNot() throws Exception {
      try (Child child = sleeping()) {
        assertThat(DeepStack.climb(LEVELS, level -> child.signal(Signal.CONT))).isPositive();
        assertThat(DeepStack.climb(LEVELS, level -> child.signalGroup(Signal.CONT))).isPositive();
        assertThat(child.kill()).isTrue();
        assertThat(child.exited().await().signal()).contains(Signal.KILL);
      }
    }
  }

  @Nested
  class ByTheJdk extends Calls {
    ByTheJdk() {
      super(new JdkSpawning(), null);
    }
  }
}
