package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs a process of its own. */
@Strict
@OnceIsEnough
class ProcessProgramsTest {
  @TempDir Path directory;

  @BeforeEach
  void needsPosix() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a POSIX system");
  }

  private static Command program(String name, String before) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return Command.of("/bin/sh", "-c", before + "exec \"$@\"", "sh", java)
        .arguments("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1")
        .arguments("-XX:-MaxFDLimit", "-cp", System.getProperty("java.class.path"))
        .arguments(ProcessPrograms.class.getName(), name);
  }

  @Test
  void fewDescriptors_failClearly_andNoChildIsLeft() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      Output output = runtime.run(program("few descriptors", "ulimit -S -n 200; ").output());
      assertThat(output.text().lines())
          .as(output.errorText())
          .startsWith("first: ok")
          .contains("1 left: pipe: Too many open files")
          .endsWith("children: 0", "last: ok");
      assertThat(output.text()).contains("9 left: ok");
    }
  }

  @Test
  void standardStreams_thatAreFiles_areCopied() throws Exception {
    Path in = Files.write(directory.resolve("in"), new byte[200_000]);
    Path out = directory.resolve("out");
    try (var runtime = BlitzRuntime.create()) {
      Output output =
          runtime.run(program("copy", "").stdin(Stdio.file(in)).stdout(Stdio.file(out)).output());
      assertThat(output.errorText()).isEqualTo("copied 200000");
      assertThat(Files.size(out)).isEqualTo(200_000);
    }
  }

  @Test
  void standardOutput_thatIsAFile_outlivesTheEndOfItsStream() throws Exception {
    Path out = directory.resolve("out");
    try (var runtime = BlitzRuntime.create()) {
      runtime.run(program("shut", "").stdout(Stdio.file(out)).output());
      assertThat(out).hasContent("one\ntwo\n");
    }
  }

  @Test
  void standardStreams_thatArePipes_areCopied() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      Command zeros = Command.of("head", "-c", "300000", "/dev/zero");
      Output output = runtime.run(zeros.pipe(program("copy", "")).output());
      assertThat(output.errorText()).isEqualTo("copied 300000");
      assertThat(output.stdout()).hasSize(300_000);
    }
  }

  @Test
  void descriptors_thatTakeStandardNumbers_areNotUsed() throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      Output output = runtime.run(program("closed input", "").output());
      assertThat(output.text()).as(output.errorText()).isEqualTo("ok\nok\n");
    }
  }

  @Test
  void aSignal_thatAProgramSends_isNotWaitedFor() throws Exception {
    Path gate = directory.resolve("gate");
    Path kill = directory.resolve("kill");
    Files.writeString(
        kill, "#!/bin/sh\nwhile [ ! -e " + gate + " ]; do sleep 0.01; done; kill \"$@\"\n");
    assertThat(kill.toFile().setExecutable(true)).isTrue();
    try (var runtime = BlitzRuntime.create()) {
      Output output =
          runtime.run(
              program("slow kill", "")
                  .arguments(gate.toString())
                  .variable("PATH", directory + ":" + System.getenv("PATH"))
                  .output());
      assertThat(output.text().lines())
          .as(output.errorText())
          .containsExactly("sent: true, true", "ended by SIGUSR1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "jdk"})
  void noMoreProcesses_areRefusedClearly_andNothingIsLeft(String way) throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      Output output = runtime.run(program("few processes", "").arguments(way).output());
      assertThat(output.text().lines())
          .as(output.errorText())
          .endsWith("limit: 0", "children: 0", "descriptors: 0", "last: ok");
      List<String> refused = output.text().lines().filter(l -> l.startsWith("refused")).toList();
      assertThat(refused)
          .as(output.text())
          .hasSize(20)
          .allMatch(line -> line.contains("/bin/sh"))
          .allMatch(line -> line.contains("Resource temporarily unavailable"));
    }
  }
}
