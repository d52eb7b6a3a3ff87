package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's answers to a person whose machine lacks something. */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("..", "blitz").toAbsolutePath().normalize();

  @TempDir Path elsewhere;

  @BeforeEach
  void needsPosixShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no POSIX shell here");
  }

  @Test
  void help_fromAnyDirectory_listsTheCommands() throws Exception {
    var answer = blitz(Map.of(), "help");
    assertThat(answer.text()).contains("./blitz demo", "./blitz test", "./blitz stress");
    assertThat(answer.exit()).isZero();
  }

  @Test
  void exampleWithoutName_saysOfEachWhatItIs() throws Exception {
    var answer = blitz(Map.of("JAVA_HOME", System.getProperty("java.home")), "example");
    assertThat(answer.text())
        .contains("  Hello              Two tasks at a time, in plain Java\n")
        .contains("  LimitedServer      An echo server for at most 100 clients at a time\n");
    assertThat(answer.text().lines().skip(1))
        .hasSizeGreaterThan(30)
        .allMatch(line -> line.matches("  \\w+ +[A-Z].{5,120}"));
    assertThat(answer.exit()).isZero();
  }

  @Test
  void unknownCommand_isRefused() throws Exception {
    var answer = blitz(Map.of(), "dmeo");
    assertThat(answer.text()).contains("unknown command 'dmeo'");
    assertThat(answer.exit()).isEqualTo(1);
  }

  @Test
  void withoutJdk_saysWhatToInstall() throws Exception {
    var answer =
        blitz(
            Map.of("JAVA_HOME", "", "PATH", toolsWithoutJavaAndMaven(), "BLITZ_JDK_SEARCH", "0"),
            "demo");
    assertThat(answer.text().lines())
        .singleElement()
        .asString()
        .contains("no JDK 25 or newer found: install one");
    assertThat(answer.exit()).isEqualTo(1);
  }

  @Test
  void withoutMaven_saysWhatToInstall() throws Exception {
    var answer =
        blitz(
            Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "PATH", toolsWithoutJavaAndMaven()),
            "test");
    assertThat(answer.text().lines())
        .singleElement()
        .asString()
        .contains("Maven not found: install Maven 3.8 or newer");
    assertThat(answer.exit()).isEqualTo(1);
  }

  @Test
  void aFailingBuild_failsTheCommand_andRunsNothing() throws Exception {
    var path = toolsWithoutJavaAndMaven();
    var mvn = elsewhere.resolve("mvn");
    Files.writeString(
        mvn,
        """
        #!/bin/sh
        echo '[WARNING] /a/A.java:[1,2] found raw type: java.util.List'
        echo '[WARNING] of a plugin'
        printf 'no newline at the end'
        exit 1
        """);
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    var answer =
        blitz(
            Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "PATH",
                path,
                "BLITZ_LOGS",
                elsewhere.toString()),
            "test");
    assertThat(answer.text())
        .contains("A.java:[1,2] found raw type", "failed; the whole log is", "0 passed")
        .doesNotContain("of a plugin");
    assertThat(answer.exit()).isEqualTo(1);
  }

  @Test
  void serversBesideOthers_withoutThem_saysAllThatIsMissing() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "no Linux");
    var environment =
        Map.of(
            "JAVA_HOME",
            "",
            "PATH",
            toolsWithoutJavaAndMaven(),
            "EXAMPLES",
            "no.jar",
            "BENCHMARKS",
            "no-other.jar");
    var answer = run(LAUNCHER.resolveSibling("benchmarks/servers"), environment);
    assertThat(answer.text())
        .startsWith("servers: missing:\n")
        .contains(
            "  java,", "  wrk,", "  redis-server,", "  redis-benchmark,", "  no.jar: built by");
    assertThat(answer.exit()).isEqualTo(1);
  }

  /** A PATH with the shell tools that the launcher needs and nothing else. */
  private String toolsWithoutJavaAndMaven() throws IOException {
    for (var tool :
        new String[] {
          "sh",
          "sed",
          "dirname",
          "readlink",
          "find",
          "head",
          "cat",
          "mkdir",
          "rm",
          "tee",
          "awk",
          "date"
        }) {
      for (var folder : new String[] {"/bin", "/usr/bin"}) {
        var file = Path.of(folder, tool);
        if (Files.isExecutable(file) && !Files.exists(elsewhere.resolve(tool))) {
          var wrapper = elsewhere.resolve(tool);
          Files.writeString(wrapper, "#!/bin/sh\nexec " + file + " \"$@\"\n");
          assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        }
      }
    }
    return elsewhere.toString();
  }

  private record Answer(String text, int exit) {}

  private Answer blitz(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(LAUNCHER, environment, arguments);
  }

  private Answer run(Path program, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command).directory(elsewhere.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    var process = builder.start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(text, process.waitFor());
  }
}
