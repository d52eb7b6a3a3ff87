package dev.blitz.io.process;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import java.io.IOException;
import java.util.Arrays;

/**
 * The descriptors of one start: what the child is given as 0, 1 and 2, and our ends of its pipes.
 * Not thread safe.
 */
final class SpawnPlan {
  private static final int NONE = -1;
  private static final int FIRST_FREE = 3;

  private final int[] given = {NONE, NONE, NONE};
  private final int[] kept = {NONE, NONE, NONE};

  /** What the child gets as {@code index}; -1 for what we have there. */
  int given(int index) {
    return given[index];
  }

  /** Gives our end of a pipe away: to somebody who closes it; -1 if there is none. */
  int take(int index) {
    int fd = kept[index];
    kept[index] = NONE;
    return fd;
  }

  /** What the one before writes is what this one reads. */
  void takeOver(int index, SpawnPlan before) {
    given[index] = before.take(1);
  }

  /** Opens all that is needed; {@code first} and {@code last} in a pipeline. */
  void prepare(CommandSpec spec, boolean first, boolean last) throws IOException {
    if (first) {
      prepare(0, spec.stdin());
    }
    prepare(1, last ? spec.stdout() : Stdio.pipe());
    if (spec.stderr() != Stdio.toStdout()) {
      prepare(2, spec.stderr());
    }
  }

  private void prepare(int index, Stdio stdio) throws IOException {
    if (stdio == Stdio.inherit()) {
      return;
    }
    if (stdio != Stdio.pipe()) {
      given[index] = NativeSpawning.open(stdio, index);
    } else {
      Pipe pipe = Pipe.open();
      given[index] = index == 0 ? pipe.reader() : pipe.writer();
      kept[index] = index == 0 ? pipe.writer() : pipe.reader();
    }
    liftAboveStandard(given, index);
    liftAboveStandard(kept, index);
  }

  private static void liftAboveStandard(int[] numbers, int index) throws IOException {
    if (numbers[index] >= 0) {
      numbers[index] = aboveStandard(numbers[index]);
    }
  }

  /**
   * If this process was started without a standard descriptor, new ones take their numbers: then
   * this is another one for {@code fd}, which is closed. If it throws, {@code fd} is open.
   */
  static int aboveStandard(int fd) throws IOException {
    if (fd >= FIRST_FREE) {
      return fd;
    }
    int higher = duplicate(fd);
    PosixCalls.close(fd);
    return higher;
  }

  /** Another number for the same, above the standard ones. */
  static int duplicate(int fd) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int higher = PosixCalls.control(frame, fd, PosixAbi.F_DUPFD_CLOEXEC, FIRST_FREE);
      return PosixErrors.check("a descriptor for a child", higher);
    } finally {
      frame.giveBack();
    }
  }

  /** The child has its own copies. */
  void closeGiven() {
    close(given);
  }

  void closeAll() {
    close(given);
    close(kept);
  }

  private static void close(int[] numbers) {
    for (int fd : numbers) {
      if (fd >= 0) {
        PosixCalls.close(fd);
      }
    }
    Arrays.fill(numbers, NONE);
  }
}
