package dev.blitz.io.process;

import dev.blitz.io.internal.services.Services;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** By the JDK, with threads that wait for pipes. Everywhere. */
final class JdkSpawning implements Spawning {

  @Override
  public List<Running> start(Services services, List<CommandSpec> commands) throws IOException {
    List<ProcessBuilder> builders = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      builders.add(builder(commands.get(i), i == 0, i == commands.size() - 1));
    }
    List<Process> started;
    if (builders.size() == 1) {
      started = List.of(builders.getFirst().start());
    } else {
      started = ProcessBuilder.startPipeline(builders);
    }
    try {
      List<Running> all = new ArrayList<>();
      for (int i = 0; i < started.size(); i++) {
        boolean last = i == started.size() - 1;
        all.add(new JdkProcess(services, started.get(i), commands.get(i), i == 0, last));
      }
      return all;
    } catch (Throwable t) {
      started.forEach(JdkSpawning::undo);
      throw t;
    }
  }

  /** Kills one that nobody has heard of, and closes its pipes. */
  private static void undo(Process process) {
    process.destroyForcibly();
    BlockingStream.closeHere(process.getInputStream());
    BlockingStream.closeHere(process.getErrorStream());
    BlockingStream.closeHere(process.getOutputStream());
  }

  private static ProcessBuilder builder(CommandSpec spec, boolean first, boolean last)
      throws IOException {
    Path program = ProgramLookup.find(spec, System.getenv("PATH"));
    List<String> words = new ArrayList<>(spec.words());
    words.set(0, program.toString());
    var builder = new ProcessBuilder(words);
    Map<String, String> variables = builder.environment();
    Map<String, String> wanted = spec.variables(Map.copyOf(variables));
    variables.clear();
    variables.putAll(wanted);
    if (spec.directory() != null) {
      builder.directory(spec.directory().toFile());
    }
    if (first) {
      builder.redirectInput(input(spec.stdin()));
    }
    if (last) {
      builder.redirectOutput(output(spec.stdout()));
    }
    if (spec.stderr() == Stdio.toStdout()) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectError(output(spec.stderr()));
    }
    return builder;
  }

  private static Redirect input(Stdio from) {
    return switch (from) {
      case Stdio.OfFile(Path path, boolean append) -> Redirect.from(path.toFile());
      case Stdio.Plain plain ->
          switch (plain) {
            case INHERIT -> Redirect.INHERIT;
            case PIPE, TO_STDOUT -> Redirect.PIPE;
            case DISCARD -> Redirect.from(new File(nothing()));
          };
    };
  }

  private static Redirect output(Stdio to) {
    return switch (to) {
      case Stdio.OfFile(Path path, boolean append) ->
          append ? Redirect.appendTo(path.toFile()) : Redirect.to(path.toFile());
      case Stdio.Plain plain ->
          switch (plain) {
            case INHERIT -> Redirect.INHERIT;
            case PIPE, TO_STDOUT -> Redirect.PIPE;
            case DISCARD -> Redirect.DISCARD;
          };
    };
  }

  private static String nothing() {
    return File.separatorChar == '/' ? "/dev/null" : "NUL";
  }
}
