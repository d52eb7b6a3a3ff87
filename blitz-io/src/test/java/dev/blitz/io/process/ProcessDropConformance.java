package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.EveryPoll;
import dev.blitz.io.EveryPoll.Check;
import dev.blitz.io.EveryPoll.Scene;
import dev.blitz.io.EveryPoll.World;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is left when a future of processes is dropped, at every poll of each. */
abstract class ProcessDropConformance extends ProcessWorld {
  ProcessDropConformance(Spawning way, @Nullable String backend) {
    super(way, backend);
  }

  /** On a thread of the runtime that may wait. */
  private <T> int dropEach(World<T> world) {
    return runtime.spawnBlocking(() -> EveryPoll.drop(world)).await();
  }

  /** Nobody is left, whether it was dropped or has ended. */
  private <T> void dropEach(ThrowingSupplier<IoFuture<T>> future, Check<T> check) {
    int polls =
        dropEach(() ->
            new Scene<>(
                future.get(),
                value -> {
                  check.after(value);
                  assertNoChildIsLeft();
                }));
    assertThat(polls).isPositive();
  }

  private Child cat() throws Exception {
    return command("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await();
  }

  @Test
  void starts_leaveNoChild() {
    dropEach(
        () -> command("sleep", "1000").stdout(Stdio.pipe()).start(),
        child -> {
          if (child != null) {
            child.close();
          }
        });
    dropEach(
        () -> command("sleep", "1000").pipe(command("cat")).start(),
        children -> {
          if (children != null) {
            children.forEach(Child::close);
          }
        });
  }

  @Test
  void runs_leaveNoChild() {
    dropEach(() -> shell("exit 3").status(), status -> {});
    dropEach(
        () -> shell("echo a; echo b >&2; exit 3").output(),
        output -> {
          if (output != null) {
            assertThat(output.text() + output.errorText()).isEqualTo("a\nb\n");
          }
        });
    dropEach(() -> shell("echo a").pipe(command("cat")).output(), output -> {});
  }

  @Test
  void lines_leaveNoChild_andAreNotLost() {
    dropEach(() -> {
      // No other process: by the JDK one that begins while the group is looked for is not found.
      var lines = shell("echo one; echo two; exec sleep 1000").lines();
      return new Scene<>(
          lines.next(),
          value -> {
            try (lines) {
              if (value == null) {
                value = lines.next().await();
              }
              assertThat(value).contains("one");
              assertThat(lines.next().await()).contains("two");
            }
            assertNoChildIsLeft();
          });
    });
  }

  @Test
  void aWaitForTheEnd_leavesTheChildAlone() {
    dropEach(() -> {
      Child child = cat();
      child.stdin().shutdown().await();
      return new Scene<>(
          child.exited(),
          status -> {
            assertThat(child.exited().await().success()).isTrue();
            child.close();
          });
    });
    dropEach(() -> {
      Child child = cat();
      child.stdin().writeAll(ByteBuffer.wrap(new byte[] {'x'})).await();
      child.stdin().shutdown().await();
      return new Scene<>(
          child.output(),
          output -> {
            assertThat(child.exited().await().success()).isTrue();
            child.close();
          });
    });
  }

  @Test
  void aRead_losesNothing() {
    dropEach(() -> {
      Child child = cat();
      child.stdin().writeAll(StandardCharsets.UTF_8.encode("hello")).await();
      child.stdin().shutdown().await();
      var target = ByteBuffer.allocate(5);
      return new Scene<>(
          child.stdout().read(target),
          n -> {
            try (child) {
              while (target.hasRemaining()) {
                assertThat(child.stdout().read(target).await()).isPositive();
              }
              assertThat(new String(target.array(), StandardCharsets.UTF_8)).isEqualTo("hello");
            }
          });
    });
  }

  /** What the position says has been written has been written, and no more. */
  @Test
  void aWrite_hasWrittenUpToThePosition() {
    dropEach(() -> {
      Child child = command("wc", "-c").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await();
      var source = ByteBuffer.allocate(300_000);
      return new Scene<>(
          child.stdin().writeAll(source),
          done -> {
            try (child) {
              child.stdin().shutdown().await();
              String counted = child.output().await().text().strip();
              assertThat(counted).isEqualTo(String.valueOf(source.position()));
            }
          });
    });
  }

  @Test
  void anEndOfInput_canBeAskedForAgain() {
    dropEach(() -> {
      Child child = cat();
      return new Scene<>(
          child.stdin().shutdown(),
          done -> {
            try (child) {
              if (done == null) {
                child.stdin().shutdown().await();
              }
              assertThat(child.exited().await().success()).isTrue();
            }
          });
    });
  }
}
