package dev.blitz.io.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link Command} says; a value. */
record CommandSpec(
    List<String> words,
    boolean cleanEnvironment,
    Map<String, String> environment,
    @Nullable Path directory,
    Stdio stdin,
    Stdio stdout,
    Stdio stderr,
    boolean ownGroup) {

  /** Stands in {@link #environment} for a variable that is taken away. */
  static final String REMOVED = "\0";

  static CommandSpec of(List<String> words) {
    for (String word : words) {
      refuseNul(word);
    }
    return new CommandSpec(
        List.copyOf(words),
        false,
        Map.of(),
        null,
        Stdio.inherit(),
        Stdio.inherit(),
        Stdio.inherit(),
        true);
  }

  static String refuseNul(String text) {
    if (Objects.requireNonNull(text, "text").indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a word of a command has a NUL in it");
    }
    return text;
  }

  String program() {
    return words.getFirst();
  }

  CommandSpec withWords(List<String> more) {
    more.forEach(CommandSpec::refuseNul);
    var all = new ArrayList<>(words);
    all.addAll(more);
    return new CommandSpec(
        List.copyOf(all),
        cleanEnvironment,
        environment,
        directory,
        stdin,
        stdout,
        stderr,
        ownGroup);
  }

  CommandSpec withVariable(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("not a name of a variable: '" + name + "'");
    }
    Map<String, String> all = new LinkedHashMap<>(environment);
    all.put(name, value);
    return withEnvironment(cleanEnvironment, all);
  }

  CommandSpec withEnvironment(boolean clean, Map<String, String> all) {
    return new CommandSpec(words, clean, all, directory, stdin, stdout, stderr, ownGroup);
  }

  CommandSpec withDirectory(Path path) {
    return new CommandSpec(
        words, cleanEnvironment, environment, path, stdin, stdout, stderr, ownGroup);
  }

  CommandSpec withStdio(Stdio in, Stdio out, Stdio err) {
    if (in == Stdio.Plain.TO_STDOUT || out == Stdio.Plain.TO_STDOUT) {
      throw new IllegalArgumentException("only an error output can go where the output goes");
    }
    return new CommandSpec(words, cleanEnvironment, environment, directory, in, out, err, ownGroup);
  }

  CommandSpec withOwnGroup(boolean own) {
    return new CommandSpec(
        words, cleanEnvironment, environment, directory, stdin, stdout, stderr, own);
  }

  /** The child's variables, made of {@code ours}. */
  Map<String, String> variables(Map<String, String> ours) {
    Map<String, String> all = new LinkedHashMap<>(cleanEnvironment ? Map.of() : ours);
    environment.forEach((name, value) -> {
      if (value.equals(REMOVED)) {
        all.remove(name);
      } else {
        all.put(name, value);
      }
    });
    return all;
  }
}
