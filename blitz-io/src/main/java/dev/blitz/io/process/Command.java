package dev.blitz.io.process;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.IoSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A program to run, with all that it is given. A value: each method makes another one, and the same
 * command may be run any number of times.
 *
 * {@snippet :
 * Output log = Command.of("git", "log", "--oneline").directory(repo).output().await().orThrow();
 * Output top = Command.of("cat", "big.txt").pipe(Command.of("sort")).pipe(Command.of("uniq", "-c")).output().await();
 * try (Child child = Command.of("wc", "-l").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await()) {
 *   child.stdin().writeAll(lines).await();
 *   child.stdin().shutdown().await(); // the end of its input
 *   ExitStatus status = child.exited().await();
 * }
 * }
 *
 * <p>Input and outputs are those of this program unless something else is said; {@link #output()}
 * takes the outputs. A child is the leader of a process group of its own, with the signals as a
 * program expects them, and has no descriptor of this process but those three.
 *
 * <p>On Linux a child costs no thread: it is started by {@code posix_spawn}, its pipes and its end
 * are events of the driver. Elsewhere, and where native access is denied, the JDK starts it: then
 * each pipe that is waited for takes a thread, it shares our process group, and {@link ExitStatus}
 * cannot always tell a signal.
 */
public final class Command {
  private final CommandSpec spec;

  /** Null for the best way; for tests. */
  private final @Nullable Spawning way;

  private Command(CommandSpec spec, @Nullable Spawning way) {
    this.spec = spec;
    this.way = way;
  }

  /** A program, by path or by a name that is looked for in PATH, and its arguments. */
  public static Command of(String program, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(program);
    words.addAll(Arrays.asList(arguments));
    return new Command(CommandSpec.of(words), null);
  }

  /** The same, started in another way; for tests. */
  Command by(Spawning other) {
    return new Command(spec, other);
  }

  private Command with(CommandSpec other) {
    return new Command(other, way);
  }

  /** With further arguments. */
  public Command arguments(String... more) {
    return with(spec.withWords(Arrays.asList(more)));
  }

  /** With a variable in its environment, which is otherwise that of this program. */
  public Command variable(String name, String value) {
    return with(spec.withVariable(name, CommandSpec.refuseNul(value)));
  }

  /** Without a variable. */
  public Command withoutVariable(String name) {
    return with(spec.withVariable(name, CommandSpec.REMOVED));
  }

  /** With these variables and no others. */
  public Command environment(Map<String, String> variables) {
    CommandSpec all = spec.withEnvironment(true, Map.of());
    for (Map.Entry<String, String> v : variables.entrySet()) {
      all = all.withVariable(v.getKey(), CommandSpec.refuseNul(v.getValue()));
    }
    return with(all);
  }

  /** In this directory. */
  public Command directory(Path directory) {
    return with(spec.withDirectory(Objects.requireNonNull(directory, "directory")));
  }

  /** With this input. */
  public Command stdin(Stdio from) {
    return with(spec.withStdio(Objects.requireNonNull(from, "from"), spec.stdout(), spec.stderr()));
  }

  /** With this output. */
  public Command stdout(Stdio to) {
    return with(spec.withStdio(spec.stdin(), Objects.requireNonNull(to, "to"), spec.stderr()));
  }

  /** With this error output. */
  public Command stderr(Stdio to) {
    return with(spec.withStdio(spec.stdin(), spec.stdout(), Objects.requireNonNull(to, "to")));
  }

  /**
   * In the process group of this program, so that what is typed at the terminal reaches it too: for
   * programs that talk to the user.
   */
  public Command sharingGroup() {
    return with(spec.withOwnGroup(false));
  }

  /** Both: the output of this one is the input of {@code next}. */
  public Pipeline pipe(Command next) {
    return new Pipeline(List.of(this)).pipe(next);
  }

  /**
   * Starts the program. A drop before its end leaves no child behind. The future fails with {@link
   * java.nio.file.NoSuchFileException} if there is no such program or directory, with {@link
   * java.nio.file.AccessDeniedException} if it may not be executed, and with another {@link
   * java.io.IOException} if it cannot be started for another reason, such as no more processes or
   * descriptors.
   *
   * @throws IllegalStateException in the future, outside a runtime
   */
  @CheckReturnValue
  public IoFuture<Child> start() {
    return Watched.io(new StartFuture(List.of(this)).map(List::getFirst));
  }

  /**
   * Runs the program to its end. A drop kills it.
   *
   * @return how it ended
   */
  @CheckReturnValue
  public IoFuture<ExitStatus> status() {
    return Pipeline.run(List.of(this), Child::exited);
  }

  /**
   * Runs the program to its end and takes both outputs, unless they go elsewhere already than to
   * those of this program. Its input is at its end, unless said otherwise. A drop kills it. At most
   * 16 MB each; see {@link #output(int)}.
   */
  @CheckReturnValue
  public IoFuture<Output> output() {
    return output(Child.DEFAULT_LIMIT);
  }

  /**
   * The same with another limit.
   *
   * @param limit most bytes of each output; a program that says more is killed, and the future
   *     fails
   */
  @CheckReturnValue
  public IoFuture<Output> output(int limit) {
    return Pipeline.run(List.of(capturing()), child -> child.output(limit));
  }

  /**
   * The lines of the output, in UTF-8, as the program writes them; it is started with the first
   * that is asked for, and killed if the source is closed before its end. The lines end when it
   * has; how it ends is not told: {@link #output()} does. A line of more than a megabyte is a
   * failure.
   *
   * {@snippet :
   * try (var changes = Command.of("git", "log", "--oneline").lines()) {
   *   for (String line : changes) {
   *     IO.println(line);
   *   }
   * }
   * }
   */
  public IoSource<String> lines() {
    return new Pipeline(List.of(this)).lines();
  }

  /** With pipes for what would otherwise be ours. */
  Command capturing() {
    return with(
        spec.withStdio(
            spec.stdin() == Stdio.inherit() ? Stdio.discard() : spec.stdin(),
            spec.stdout() == Stdio.inherit() ? Stdio.pipe() : spec.stdout(),
            spec.stderr() == Stdio.inherit() ? Stdio.pipe() : spec.stderr()));
  }

  CommandSpec spec() {
    return spec;
  }

  @Nullable Spawning way() {
    return way;
  }

  @Override
  public String toString() {
    return "Command" + spec.words();
  }
}
