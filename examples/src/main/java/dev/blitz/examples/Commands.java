package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.process.Child;
import dev.blitz.io.process.Command;
import dev.blitz.io.process.Output;
import dev.blitz.io.process.Stdio;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Runs other programs: one for its output, three that feed each other, one that is talked to, and
 * one that has to be ended.
 *
 * <p>Shows: Command, Pipeline, Child. Run: {@code ./blitz example Commands}.
 */
public final class Commands {
  private Commands() {}

  /** Prints what they say; needs a POSIX system. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      Output output = Command.of("echo", "hello").output().await().orThrow();
      IO.println("said: " + output.text().strip());

      var words = Command.of("printf", "%s\n", "b", "a", "b");
      try (var counted = words.pipe(Command.of("sort")).pipe(Command.of("uniq", "-c")).lines()) {
        for (String line : counted) {
          IO.println("counted: " + line.strip());
        }
      }

      var cat = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe());
      try (Child child = cat.start().await()) {
        var answer = ByteBuffer.allocate(5);
        child.stdin().writeAll(ByteBuffer.wrap("again".getBytes(StandardCharsets.UTF_8))).await();
        child.stdout().readFully(answer).await();
        IO.println("answered: " + StandardCharsets.UTF_8.decode(answer.flip()));
      }

      try (Child child = Command.of("sleep", "60").start().await()) {
        child.terminate();
        IO.println("sleep: " + child.exited().await());
      }
    });
  }
}
