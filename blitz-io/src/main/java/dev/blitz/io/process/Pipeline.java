package dev.blitz.io.process;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.IoSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Commands that feed each other: the output of each is the input of the next, by a pipe that this
 * program has no part in. A value.
 */
public final class Pipeline {
  private final List<Command> commands;

  Pipeline(List<Command> commands) {
    this.commands = commands;
  }

  /** With one more at the end. */
  public Pipeline pipe(Command next) {
    List<Command> all = new ArrayList<>(commands);
    all.add(Objects.requireNonNull(next, "next"));
    return new Pipeline(List.copyOf(all));
  }

  /**
   * Starts all of them, or none.
   *
   * @return the children, in order; what stands between them is no pipe of theirs
   */
  @CheckReturnValue
  public IoFuture<List<Child>> start() {
    return Watched.io(new StartFuture(commands));
  }

  /**
   * Runs all to their ends and takes both outputs of the last one, at most 16 MB each. The status
   * is that of the last one. The error outputs of the others go where they were told to.
   */
  @CheckReturnValue
  public IoFuture<Output> output() {
    return output(Child.DEFAULT_LIMIT);
  }

  /** The same with another limit; see {@link Command#output(int)}. */
  @CheckReturnValue
  public IoFuture<Output> output(int limit) {
    List<Command> all = new ArrayList<>(commands);
    all.set(all.size() - 1, all.getLast().capturing());
    if (all.size() > 1 && all.getFirst().spec().stdin() == Stdio.inherit()) {
      all.set(0, all.getFirst().stdin(Stdio.discard()));
    }
    return run(all, child -> child.output(limit));
  }

  /** The lines of the output of the last one; see {@link Command#lines}. */
  public IoSource<String> lines() {
    List<Command> all = new ArrayList<>(commands);
    all.set(all.size() - 1, all.getLast().stdout(Stdio.pipe()));
    if (all.getFirst().spec().stdin() == Stdio.inherit()) {
      all.set(0, all.getFirst().stdin(Stdio.discard()));
    }
    var lines = new ChildLines(all);
    return IoSource.unfold(lines::next).whenDone(lines::close);
  }

  /** Starts all, does something with the last one, and leaves none behind. */
  static <T> IoFuture<T> run(List<Command> commands, Function<Child, IoFuture<T>> use) {
    return Watched.io(new RunFuture<>(commands, use));
  }

  @Override
  public String toString() {
    return "Pipeline" + commands;
  }
}
