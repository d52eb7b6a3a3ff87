package dev.blitz.io.process;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Promise;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.signal.Signal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that was started, in one way or another. Thread safe. */
abstract class Running {
  /** Completed once it has ended, and no zombie is left; closed if nobody will know. */
  final Promise<ExitStatus> status = Promise.create("the end of a child");

  /** Our ends of its pipes, set before anybody is told of it; null if it is no pipe. */
  @Nullable GuardedStream stdin;

  @Nullable GuardedStream stdout;
  @Nullable GuardedStream stderr;

  abstract long pid();

  /**
   * Sends a signal. Needs {@link dev.blitz.io.internal.base.StackRoom#forMany}, and never waits.
   *
   * @param group to all of its process group
   * @return false if it has ended
   * @throws IOException if the system refuses
   * @throws UnsupportedOperationException if this system cannot
   */
  abstract boolean signal(Signal signal, boolean group) throws IOException;

  /** Closes our ends of the pipes. */
  void closePipes() {
    close(stdin);
    close(stdout);
    close(stderr);
  }

  private static void close(@Nullable GuardedStream pipe) {
    if (pipe != null) {
      pipe.close();
    }
  }

  /** Leaves none of those whom nobody has heard of. */
  static void undoAll(List<Running> all) {
    for (int i = 0; i < all.size(); i++) {
      try {
        all.get(i).undo();
      } catch (Throwable t) { // those after it must not stay
        FailureLog.tryLog(System.Logger.Level.WARNING, "a child cannot be killed", t);
      }
    }
  }

  /** Kills it and closes the pipes. */
  abstract void undo() throws IOException;
}
