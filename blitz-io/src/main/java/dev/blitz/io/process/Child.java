package dev.blitz.io.process;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Promise;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.signal.Signal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A program that was started and may still run.
 *
 * <p>Closing it kills it, and all of its process group, if it still runs; {@link #detach} lets it
 * live on. However it is left, no zombie stays: its end is noticed by the runtime, and after the
 * runtime's close by a thread that lasts as long as there are such children.
 *
 * <p>Thread safe, but for the pipes: one may read each, one write.
 */
public final class Child implements AutoCloseable {
  /** Most bytes of an output that is kept in memory, if nothing else is said. */
  static final int DEFAULT_LIMIT = 16 << 20;

  private final Running process;
  private final String command;
  private final AtomicBoolean left = new AtomicBoolean();

  Child(Running process, String command) {
    this.process = process;
    this.command = command;
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /**
   * Writes to its input. {@code shutdown()} is the end of the input.
   *
   * @throws IllegalStateException if that is no pipe
   */
  public ByteWriter stdin() {
    return piped(process.stdin, "stdin");
  }

  /**
   * Reads its output.
   *
   * @throws IllegalStateException if that is no pipe
   */
  public ByteReader stdout() {
    return piped(process.stdout, "stdout");
  }

  /**
   * Reads its error output.
   *
   * @throws IllegalStateException if that is no pipe
   */
  public ByteReader stderr() {
    return piped(process.stderr, "stderr");
  }

  private <S> S piped(@Nullable S stream, String which) {
    if (stream == null) {
      throw new IllegalStateException(which + " of " + this + " is no pipe: use Stdio.pipe()");
    }
    return stream;
  }

  // --- Its end ---

  /**
   * Ends when the program has; any number may wait, any number of times. It does not read the
   * pipes: a program that fills one waits until somebody does.
   *
   * @throws dev.blitz.io.future.CancelledException in the future, if the runtime was closed before
   */
  @CheckReturnValue
  public IoFuture<ExitStatus> exited() {
    return process.status.future();
  }

  /** How it ended, if it has. */
  public Optional<ExitStatus> tryStatus() {
    Promise<ExitStatus> status = process.status;
    return status.isDone() ? Optional.of(status.future().await()) : Optional.empty();
  }

  /** What it writes to its pipes until its end, at most 16 MB each; see {@link #output(int)}. */
  @CheckReturnValue
  public IoFuture<Output> output() {
    return output(DEFAULT_LIMIT);
  }

  /**
   * Reads both outputs at the same time, as far as they are pipes, until their ends, and waits for
   * the program's end.
   *
   * @param limit most bytes of each; if there are more the future fails, and the rest is not read
   */
  @CheckReturnValue
  public IoFuture<Output> output(int limit) {
    return Futures.join(
            ReadAll.of(process.stdout, limit, "stdout of " + command),
            ReadAll.of(process.stderr, limit, "stderr of " + command),
            exited())
        .map(all -> new Output(all.third(), all.first(), all.second()));
  }

  // --- Signals ---

  /**
   * Ends it at once: it cannot refuse.
   *
   * @return false if it has ended already
   */
  public boolean kill() throws IOException {
    return signal(Signal.KILL);
  }

  /** Asks it to end; see {@link #kill}. */
  public boolean terminate() throws IOException {
    return signal(Signal.TERM);
  }

  /**
   * Sends it a signal.
   *
   * <p>Never waits. Where the JDK has started the child (see {@link Command}) signals other than
   * KILL and TERM, and all to a group, are sent a moment later; what the system then refuses is
   * told to the uncaught handler.
   *
   * @return false if it has ended already
   * @throws IOException if the system does not allow it, for example because it runs as another
   *     user
   * @throws UnsupportedOperationException if this system knows no such signal
   */
  public boolean signal(Signal signal) throws IOException {
    StackRoom.forMany();
    return process.signal(signal, false);
  }

  /** The same to all of its process group: it and what it has started. */
  public boolean signalGroup(Signal signal) throws IOException {
    StackRoom.forMany();
    return process.signal(signal, true);
  }

  // --- Leaving it ---

  /** Closes the pipes and lets it go on; a later {@link #close} does nothing. */
  public void detach() {
    StackRoom.forOwner();
    leave(false);
  }

  /**
   * Closes the pipes, and kills it and its process group if it still runs. Does not wait for that:
   * {@link #exited} does. Closing again does nothing.
   */
  @Override
  public void close() {
    StackRoom.forOwner();
    leave(true);
  }

  /** Needs that room. If it throws nevertheless, it can be done again. */
  private void leave(boolean kill) {
    if (!left.compareAndSet(false, true)) {
      return;
    }
    boolean done = false;
    try {
      if (kill) {
        killIfItRuns();
      }
      process.closePipes();
      done = true;
    } finally {
      if (!done) {
        left.set(false);
      }
    }
  }

  private void killIfItRuns() {
    try {
      process.signal(Signal.KILL, true);
    } catch (IOException | UnsupportedOperationException e) {
      FailureLog.tryLog(System.Logger.Level.WARNING, this + " cannot be killed: " + e, null);
    }
  }

  /** Closes each, whatever the others throw. Needs {@link StackRoom#forOwner}. */
  static void closeAll(List<Child> children) {
    for (int i = 0; i < children.size(); i++) {
      try {
        children.get(i).leave(true);
      } catch (Throwable t) {
        FailureLog.tryLog(System.Logger.Level.WARNING, "a child cannot be closed", t);
      }
    }
  }

  @Override
  public String toString() {
    return "Child[" + pid() + ", " + command + "]";
  }
}
