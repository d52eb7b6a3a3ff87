package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt that is meant for one command never reaches another task on the same worker. */
@Strict
class InterruptTest {
  private final BlitzRuntime rt = BlitzRuntime.builder().workers(1).build();
  private final CountDownLatch inside = new CountDownLatch(1);
  private final AtomicBoolean goOn = new AtomicBoolean();
  private final AtomicBoolean sawInterrupt = new AtomicBoolean();

  @AfterEach
  void close() {
    goOn.set(true);
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Runs until it is let go, whatever interrupts it. */
  private Done spin() {
    inside.countDown();
    while (!goOn.get()) {
      Thread.onSpinWait();
    }
    sawInterrupt.set(Thread.currentThread().isInterrupted());
    return Done.DONE;
  }

  private boolean nextTaskIsInterrupted() throws Exception {
    return rt.run(Futures.lazy(() -> Thread.currentThread().isInterrupted()));
  }

  @Test
  void cancelTrue_ofASubmittedCommand_interruptsNeitherItNorTheNextTask(@TempDir Path folder)
      throws Exception {
    ExecutorService executor = rt.executor();
    var command = executor.submit(this::spin);
    inside.await();
    assertThat(command.cancel(true)).isTrue();
    var written = rt.spawn(Futures.lazy(() -> write(folder.resolve("file"))));
    goOn.set(true);
    assertThat(written.await()).as("a channel is closed by an interrupt").isEqualTo(3);
    assertThat(nextTaskIsInterrupted()).isFalse();
    assertThat(sawInterrupt).as("a worker is not interrupted").isFalse();
  }

  private static int write(Path file) throws IOException {
    try (var channel =
        FileChannel.open(
            file,
            java.nio.file.StandardOpenOption.CREATE,
            java.nio.file.StandardOpenOption.WRITE)) {
      return channel.write(ByteBuffer.wrap(new byte[3]));
    }
  }

  @Test
  void cancelTrue_ofTheUsersOwnFutureTask_staysWithIt() throws Exception {
    var command = new FutureTask<>(this::spin);
    rt.executor().execute(command);
    inside.await();
    assertThat(command.cancel(true)).isTrue();
    goOn.set(true);
    assertThat(nextTaskIsInterrupted()).isFalse();
    assertThat(sawInterrupt).as("it was the user's thread to interrupt").isTrue();
  }

  @Test
  void cancelTrue_ofScheduledCommands_interruptsNothing() throws Exception {
    ScheduledExecutorService executor = rt.scheduledExecutor();
    var command = executor.schedule((Callable<Done>) this::spin, 0, TimeUnit.SECONDS);
    inside.await();
    assertThat(command.cancel(true)).isTrue();
    goOn.set(true);
    assertThat(nextTaskIsInterrupted()).isFalse();
    assertThat(sawInterrupt).isFalse();
  }

  @Test
  void cancelTrue_ofAPeriodicCommand_interruptsNothing() throws Exception {
    ScheduledExecutorService executor = rt.scheduledExecutor();
    var command = executor.scheduleAtFixedRate(this::spin, 0, 1, TimeUnit.HOURS);
    inside.await();
    assertThat(command.cancel(true)).isTrue();
    goOn.set(true);
    assertThat(nextTaskIsInterrupted()).isFalse();
    assertThat(sawInterrupt).isFalse();
  }

  @Test
  void invokeAny_interruptsNoWorkerThatRunsALoser() throws Exception {
    try (var two = BlitzRuntime.builder().workers(2).build()) {
      Callable<Done> loser = this::spin;
      Callable<Done> winner =
          () -> {
            inside.await();
            return Done.DONE;
          };
      two.executor().invokeAny(List.of(loser, winner));
      goOn.set(true);
      Await.until(() -> two.stats().live() == 0, "the loser's end");
      assertThat(sawInterrupt).isFalse();
    }
  }

  @Test
  void shutdownNow_interruptsNoWorker() throws Exception {
    ExecutorService executor = rt.executor();
    executor.execute(() -> assertThatCode(this::spin).doesNotThrowAnyException());
    inside.await();
    executor.shutdownNow();
    goOn.set(true);
    assertThat(nextTaskIsInterrupted()).isFalse();
    assertThat(sawInterrupt).isFalse();
  }

  @Test
  void aPollThatLeavesItsThreadInterrupted_doesNotReachTheNextOne() throws Exception {
    List<Boolean> seen = new ArrayList<>();
    rt.run(
        Futures.lazy(
                () -> {
                  var first = Task.spawn(new SelfInterrupting());
                  var second =
                      Task.spawn(
                          Futures.lazy(() -> seen.add(Thread.currentThread().isInterrupted())));
                  return Futures.join(first, second);
                })
            .andThen(both -> both));
    assertThat(seen).containsExactly(false);
    assertThat(nextTaskIsInterrupted()).isFalse();
  }

  /** Leaves the status set, as code does that cannot throw an InterruptedException. */
  private static final class SelfInterrupting implements Future<Done> {
    private int polls;

    @Override
    public @Nullable Done poll(Context cx) {
      if (polls++ > 0) {
        return Done.DONE;
      }
      Thread.currentThread().interrupt();
      cx.waker().wake();
      return null;
    }
  }

  @Test
  void aThreadHookThatInterrupts_doesNotReachTheFirstTask() throws Exception {
    try (var hooked = BlitzRuntime.builder().workers(1).onThreadStart(Thread::interrupt).build()) {
      assertThat(hooked.<Boolean>run(Futures.lazy(() -> Thread.currentThread().isInterrupted())))
          .isFalse();
    }
  }

  @Test
  void aCancelledBlockingCall_leavesItsThreadUninterrupted() throws Exception {
    try (var one = BlitzRuntime.builder().workers(1).blockingThreads(1).build()) {
      var name = new AtomicReference<@Nullable String>();
      var call =
          one.spawnBlocking(() -> {
            name.set(Thread.currentThread().getName());
            return spin();
          });
      inside.await();
      call.cancel();
      goOn.set(true);
      var next =
          one.spawnBlocking(
              () -> Thread.currentThread().getName() + Thread.currentThread().isInterrupted());
      assertThat(next.await()).isEqualTo(name.get() + "false");
      assertThat(sawInterrupt).isTrue();
    }
  }

  /** A channel whose close needs the blocking pool; as one on a slow file system holds it up. */
  private final class NeedyChannel extends AbstractInterruptibleChannel {
    private final CountDownLatch closed = new CountDownLatch(1);

    Done waitInside() throws IOException {
      begin();
      try {
        inside.countDown();
        while (closed.getCount() > 0) {
          awaitClose();
        }
      } finally {
        end(false);
      }
      return Done.DONE;
    }

    /** Not left by an interrupt: the JDK wakes the thread first and closes the channel then. */
    private void awaitClose() {
      try {
        closed.await();
      } catch (InterruptedException e) {
        // the close follows
      }
    }

    @Override
    protected void implCloseChannel() {
      var stranger = new FutureTask<>(() -> rt.spawnBlocking(() -> 1).await());
      new Thread(stranger).start();
      try {
        stranger.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
      closed.countDown();
    }
  }

  @Test
  void cancel_ofABlockingCall_closesItsChannel_withoutALockOfThePool() throws Exception {
    try (var channel = new NeedyChannel()) {
      var call = rt.spawnBlocking(channel::waitInside);
      inside.await();
      assertThat(call.cancel()).isTrue();
      assertThat(channel.isOpen()).isFalse();
    }
  }
}
