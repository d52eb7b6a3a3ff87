package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user who compiles with Error Prone is told of each call whose future nobody awaits. A compiler
 * of its own, as users run it: Error Prone asks for flags that this JVM does not have.
 */
@Strict
class ForgottenAwaitTest {
  private static final String PROGRAM =
      """
      package shop;

      import dev.blitz.io.channel.Channel;
      import dev.blitz.io.net.TcpStream;
      import dev.blitz.io.sync.Semaphore;
      import dev.blitz.io.task.Task;
      import dev.blitz.io.task.TaskScope;
      import java.nio.ByteBuffer;
      import java.time.Duration;

      class %s {
        void run(Channel<String> channel, TcpStream stream, Semaphore semaphore) throws Exception {
          Task.sleep(Duration.ofSeconds(1))%2$s;
          channel.receive().timeout(Duration.ofSeconds(1))%2$s;
          Task.yieldNow()%2$s;
          Task.shielded(Task.sleep(Duration.ofSeconds(1)))%2$s;
          channel.send("hello")%2$s;
          channel.receive()%2$s;
          stream.writeAll(ByteBuffer.allocate(1))%2$s;
          stream.read(ByteBuffer.allocate(1))%2$s;
          semaphore.acquire()%2$s;
          try (var scope = TaskScope.open()) {
            scope.spawn(() -> channel.send("from a child")%2$s);
            scope.joined()%2$s;
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void aForgottenAwait_isAnErrorUnderErrorProne_andNothingElseIs() throws Exception {
    Path forgotten = folder.resolve("Forgotten.java");
    Path awaited = folder.resolve("Awaited.java");
    Files.writeString(forgotten, PROGRAM.formatted("Forgotten", ""));
    Files.writeString(awaited, PROGRAM.formatted("Awaited", ".await()"));
    List<String> lines = Files.readAllLines(forgotten);
    List<Integer> futures =
        IntStream.rangeClosed(1, lines.size())
            .filter(n -> lines.get(n - 1).matches("    .*;"))
            .filter(n -> !lines.get(n - 1).contains("spawn")) // a handle is no future to await
            .boxed()
            .toList();
    assertThat(futures).hasSize(10);

    String output = compile(forgotten, awaited);

    List<Integer> flagged =
        output
            .lines()
            .filter(line -> line.contains("Forgotten.java:") && line.contains("error:"))
            .peek(line -> assertThat(line).contains("[CheckReturnValue]"))
            .map(line -> Integer.parseInt(line.replaceFirst(".*Forgotten.java:(\\d+):.*", "$1")))
            .toList();
    assertThat(flagged).as(output).containsExactlyElementsOf(futures);
    assertThat(output.lines().filter(line -> line.contains("Awaited.java:"))).as(output).isEmpty();
  }

  private String compile(Path... sources) throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    for (String part : List.of("api", "file", "main", "model", "parser", "processing", "tree")) {
      command.add("-J--add-exports=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
    }
    command.add("-J--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED");
    command.add("-J--add-opens=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED");
    command.add("-J--add-opens=jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED");
    command.add("-J--sun-misc-unsafe-memory-access=allow");
    command.addAll(
        List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW", "-Xplugin:ErrorProne"));
    command.addAll(List.of("-proc:none", "-d", folder.toString()));
    command.addAll(List.of("-cp", classPath, "-processorpath", classPath));
    Arrays.stream(sources).map(Path::toString).forEach(command::add);

    File output = folder.resolve("javac.txt").toFile();
    Process javac =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    try {
      assertThat(javac.waitFor(Timeouts.LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } finally {
      javac.destroyForcibly().waitFor();
    }
    return Files.readString(output.toPath());
  }
}
