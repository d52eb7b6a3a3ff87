package dev.blitz.io.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real signals and real ends of JVMs. */
@Strict
@OnceIsEnough
class EndingProgramsTest {
  /** What the shell calls a process that was ended by TERM, and so does the JDK. */
  private static final int KILLED_BY_TERM = 128 + 15;

  private @Nullable Process process;
  private @Nullable BufferedReader output;

  @BeforeEach
  void needsPosix() {
    assumeTrue(java.io.File.separatorChar == '/', "a POSIX system");
  }

  private void start(String program, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), EndingPrograms.class.getName(), program));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = process.inputReader();
  }

  private void awaitLine(String line) throws Exception {
    assertThat(Objects.requireNonNull(output).readLine()).isEqualTo(line);
  }

  private void terminate() {
    Objects.requireNonNull(process).toHandle().destroy(); // leaves the pipes alone
  }

  private List<String> rest() {
    return Objects.requireNonNull(output).lines().toList();
  }

  private int status() throws Exception {
    Process p = Objects.requireNonNull(process);
    assertThat(p.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return p.exitValue();
  }

  @AfterEach
  void end() throws Exception {
    if (process != null) {
      process.destroyForcibly().waitFor();
      process.getOutputStream().close();
    }
  }

  @Test
  void term_afterTheLastListenerIsClosed_endsTheJvmAsEver() throws Exception {
    start("restored");
    awaitLine("ready");
    terminate();
    assertThat(rest()).isEmpty();
    assertThat(status()).isEqualTo(KILLED_BY_TERM);
  }

  @Test
  void term_drains_andTheProgramEndsByItself() throws Exception {
    start("serving");
    awaitLine("ready");
    terminate();
    assertThat(rest())
        .containsExactly("work done", "shut down by SIGTERM: all work finished", "main ends");
    assertThat(status()).isZero();
  }

  @Test
  void term_withoutTheModuleForSignals_drainsByTheHook() throws Exception {
    start("serving", "--limit-modules", "java.base,java.logging,java.management");
    awaitLine("ready");
    terminate();
    assertThat(rest())
        .startsWith("work done", "shut down by the end of the JVM: all work finished");
    assertThat(status()).isEqualTo(KILLED_BY_TERM);
  }

  @Test
  void exit_waitsForTheDrain_andForTheClose() throws Exception {
    start("exit");
    awaitLine("ready");
    assertThat(rest())
        .startsWith("work done", "shut down by the end of the JVM: all work finished");
    assertThat(status()).isEqualTo(3);
  }

  /** Who exits inside the block will never close it. */
  @Test
  void exit_byTheOpener_waitsForTheDrainAlone() throws Exception {
    start("exit inside");
    awaitLine("ready");
    assertThat(rest()).containsExactly("work done");
    assertThat(status()).isEqualTo(4);
  }

  /** Who cannot drain does not keep the JVM for ever. */
  @Test
  void exit_endsTheJvm_whenNoWorkerIsLeftToDrain() throws Exception {
    start("stuck");
    awaitLine("ready");
    assertThat(status()).isEqualTo(5);
    assertThat(String.join("\n", rest())).contains("Shutdown[", "has not drained");
  }

  /** The hook has a limit of its own. */
  @Test
  void exit_endsTheJvm_whileAnotherDrainsWithALongerLimit() throws Exception {
    start("patient");
    awaitLine("ready");
    assertThat(String.join("\n", rest())).contains("Shutdown[", "has not drained");
    assertThat(status()).isEqualTo(6);
  }

  @Test
  void secondTerm_forces_andTheReportNamesWhoWasLeft() throws Exception {
    start("forced");
    awaitLine("ready");
    terminate();
    awaitLine("triggered");
    terminate();
    assertThat(String.join("\n", rest()))
        .contains("shut down by SIGTERM, forced; 1 were still at work")
        .contains("'stubborn'");
    assertThat(status()).isZero();
  }

  @Test
  void listen_withoutTheModule_saysWhatToDo() throws Exception {
    start("unsupported", "--limit-modules", "java.base,java.logging");
    assertThat(rest())
        .singleElement()
        .asString()
        .contains("signals need the module jdk.unsupported", "--add-modules jdk.unsupported");
    assertThat(status()).isZero();
  }
}
