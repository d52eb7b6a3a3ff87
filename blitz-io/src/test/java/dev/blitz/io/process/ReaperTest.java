package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.signal.Signal;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@LeakChecked
class ReaperTest {
  @BeforeEach
  void needsLinux() {
    assumeTrue(
        NativeAccess.obstacleOnLinux() == null && NativeSpawning.isSupported(), "posix_spawn");
  }

  @AfterEach
  void nobodyIsLeft() {
    ProcessWorld.assertNoChildIsLeft();
  }

  private static NativeProcess sleeping() throws Exception {
    var spec = CommandSpec.of(List.of("sleep", "1000"));
    var process = new NativeProcess(true);
    Path program = ProgramLookup.find(spec, System.getenv("PATH"));
    NativeSpawning.spawn(program, spec, new SpawnPlan(), process);
    process.open();
    return process;
  }

  private static int counter() {
    CallFrame frame = CallFrame.take();
    try {
      return PosixCalls.eventCounter(frame);
    } finally {
      frame.giveBack();
    }
  }

  private static void killAndAwait(Reaper reaper, NativeProcess... children) throws Exception {
    for (NativeProcess child : children) {
      assertThat(child.signal(Signal.KILL, true)).isTrue();
    }
    Await.until(() -> reaper.waitedFor() == 0, "all are reaped");
    for (NativeProcess child : children) {
      assertThat(child.status.future().await()).isEqualTo(ExitStatus.killed(9));
      assertThat(child.signal(Signal.KILL, true)).as("it is over").isFalse();
    }
  }

  @Test
  void waits_forThoseWhoComeLater() throws Exception {
    var reaper = new Reaper(Machine.REAL, ProcessCalls::poll, ReaperTest::counter);
    NativeProcess first = sleeping();
    reaper.adopt(first);
    NativeProcess second = sleeping();
    reaper.adopt(second);
    NativeProcess third = sleeping();
    reaper.adopt(third);
    assertThat(reaper.waitedFor()).isEqualTo(3);
    assertThat(second.signal(Signal.KILL, true)).isTrue();
    Await.until(() -> reaper.waitedFor() == 2, "one is reaped");
    killAndAwait(reaper, first, third);
  }

  @Test
  void aRoundWithoutMemory_isMadeAgain() throws Exception {
    var rounds = new AtomicInteger();
    var reaper =
        new Reaper(
            Machine.REAL,
            (errno, polls, count, millis) -> {
              if (rounds.incrementAndGet() < 3) {
                throw new OutOfMemoryError("made up");
              }
              return ProcessCalls.poll(errno, polls, count, millis);
            },
            ReaperTest::counter);
    NativeProcess child = sleeping();
    reaper.adopt(child);
    killAndAwait(reaper, child);
    assertThat(rounds.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void withoutAThread_theNextOneTriesAgain() throws Exception {
    var starts = new AtomicInteger();
    Machine machine =
        Machine.startingBy(thread -> {
          if (starts.incrementAndGet() == 1) {
            throw new OutOfMemoryError("no thread");
          }
          thread.start();
        });
    var reaper = new Reaper(machine, ProcessCalls::poll, ReaperTest::counter);
    NativeProcess child = sleeping();
    reaper.adopt(child);
    assertThat(reaper.waitedFor()).isEqualTo(1);
    reaper.startIfNeeded();
    killAndAwait(reaper, child);
    assertThat(starts).hasValue(2);
    reaper.startIfNeeded();
    assertThat(starts).as("nobody to wait for").hasValue(2);
  }

  @Test
  void withoutADescriptor_newOnesAreFound() throws Exception {
    var reaper = new Reaper(Machine.REAL, ProcessCalls::poll, () -> -Errno.EMFILE);
    NativeProcess first = sleeping();
    reaper.adopt(first);
    NativeProcess second = sleeping();
    reaper.adopt(second);
    killAndAwait(reaper, first, second);
  }
}
