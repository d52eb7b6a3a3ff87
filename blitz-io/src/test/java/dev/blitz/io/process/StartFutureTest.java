package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Starts that are left while they are under way, with children that are made up. */
@Strict
class StartFutureTest {
  private static final int SPAWNERS = 16;

  /** Knows whether it was killed. */
  private static final class Fake extends Running {
    volatile boolean killed;
    volatile boolean closed;

    @Override
    long pid() {
      return 1;
    }

    @Override
    boolean signal(Signal signal, boolean group) {
      if (signal == Signal.KILL && group) {
        killed = true;
      }
      return true;
    }

    @Override
    void closePipes() {
      closed = true;
    }

    @Override
    void undo() {
      killed = true;
      closed = true;
    }
  }

  private final Fake child = new Fake();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  private Spawning slow() {
    return (host, commands) -> {
      begun.countDown();
      boolean interrupted = false;
      while (true) { // as a start does not heed an interrupt
        try {
          go.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return List.of(child);
    };
  }

  /** Who waits from outside is told when the deadline of the close has passed. */
  @Test
  void aStart_thatOutlivesTheRuntime_leavesNoChild() throws Exception {
    BlitzRuntime runtime = BlitzRuntime.create();
    var start = Command.of("x").by(slow()).start();
    Context cx = Context.of(() -> {});
    runtime.run(Futures.lazy(() -> start.poll(cx) == null));
    begun.await();
    assertThat(runtime.close(Duration.ofMillis(10)).clean()).isFalse();
    assertThatThrownBy(() -> start.poll(cx)).isInstanceOf(CancelledException.class);
    go.countDown();
    Await.until(() -> child.killed && child.closed, "the child is not left");
  }

  @Test
  void aStart_droppedBeforeItsTurn_isNone() throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      List<JoinHandle<Child>> busy = new ArrayList<>();
      for (int i = 0; i < SPAWNERS; i++) {
        busy.add(runtime.spawn(Command.of("x").by(slow()).start()));
      }
      var starts = new AtomicInteger();
      Spawning counting =
          (host, commands) -> {
            starts.incrementAndGet();
            return List.of(child);
          };
      runtime.run(
          Futures.lazy(() -> {
            var start = Command.of("x").by(counting).start();
            Object none = start.poll(Context.of(() -> {}));
            start.drop();
            return none == null;
          }));
      go.countDown();
      for (JoinHandle<Child> b : busy) {
        b.await();
      }
      runtime.run(Command.of("x").by(counting).start()); // behind it in the queue
      assertThat(starts).hasValue(1);
    }
  }

  /** As starts do whose input is a FIFO that nobody writes. */
  @Test
  void aKill_isNotBehindStartsThatWaitForEver() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a POSIX system");
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      Child sleeping = runtime.run(Command.of("sleep", "1000").by(new JdkSpawning()).start());
      var all = new CountDownLatch(SPAWNERS);
      Spawning waiting =
          (host, commands) -> {
            all.countDown();
            return slow().start(host, commands);
          };
      List<JoinHandle<Child>> busy = new ArrayList<>();
      for (int i = 0; i < SPAWNERS; i++) {
        busy.add(runtime.spawn(Command.of("x").by(waiting).start()));
      }
      all.await();
      try {
        sleeping.close();
        Await.until(() -> sleeping.tryStatus().isPresent(), "it is killed");
      } finally {
        go.countDown();
      }
      for (JoinHandle<Child> b : busy) {
        b.await();
      }
    }
  }

  @Test
  void noMemory_forWhatWasStarted_leavesNoChild() throws Exception {
    var second = new Fake();
    Spawning both =
        (host, commands) ->
            new AbstractList<>() {
              private boolean failed;

              @Override
              public Running get(int index) {
                if (index == 1 && !failed) {
                  failed = true;
                  throw new OutOfMemoryError("made up");
                }
                return index == 0 ? child : second;
              }

              @Override
              public int size() {
                return 2;
              }
            };
    try (BlitzRuntime runtime = BlitzRuntime.create()) {
      Command command = Command.of("x").by(both);
      assertThatThrownBy(() -> runtime.run(command.pipe(command).start()))
          .isInstanceOf(TaskFailedException.class)
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
    }
    assertThat(child.killed && child.closed).isTrue();
    assertThat(second.killed && second.closed).isTrue();
  }
}
