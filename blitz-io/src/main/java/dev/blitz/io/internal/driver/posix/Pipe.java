package dev.blitz.io.internal.driver.posix;

import java.io.IOException;

/**
 * A new pipe. Programs that are started inherit neither end, unless somebody passes it on. Both
 * ends are blocking, as programs expect theirs; {@code AsyncDescriptor.adopt} changes the one that
 * this process keeps, and only that one.
 *
 * @param reader the number of the end to read from
 * @param writer the number of the end to write to
 */
public record Pipe(int reader, int writer) {

  /** Whoever opens it owns two numbers. */
  public static Pipe open() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int[] ends = new int[2];
      var made = new Pipe[1]; // memory first: numbers without an owner would be lost
      PosixErrors.check("pipe", PosixCalls.pipe(frame, ends));
      try {
        made[0] = new Pipe(ends[0], ends[1]);
        return made[0];
      } finally {
        if (made[0] == null) {
          PosixCalls.close(ends[0]);
          PosixCalls.close(ends[1]);
        }
      }
    } finally {
      frame.giveBack();
    }
  }
}
