package dev.blitz.examples.guide;

import dev.blitz.io.process.Child;
import dev.blitz.io.process.Command;
import dev.blitz.io.process.Output;
import dev.blitz.io.process.Stdio;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** docs/guide/processes.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Processes {
  static void output(Path repo) throws IOException {
    Output log = Command.of("git", "log", "--oneline").directory(repo).output().await().orThrow();
    IO.println(log.text());

    Output top =
        Command.of("cat", "big.txt")
            .pipe(Command.of("sort"))
            .pipe(Command.of("uniq", "-c"))
            .output()
            .await();
  }

  static void child(ByteBuffer lines) throws IOException {
    try (Child child =
        Command.of("wc", "-l").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await()) {
      child.stdin().writeAll(lines).await();
      child.stdin().shutdown().await();
      Output counted = child.output().await();
    }
  }
}
