package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.signal.Signal;
import dev.blitz.testkit.Strict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The layouts against the C library and the kernel of this machine. */
@Strict
class ProcessAbiTest {
  private static final byte UNTOUCHED = 0x5A;

  @BeforeEach
  void needsLinux() {
    assumeTrue(
        NativeAccess.obstacleOnLinux() == null && NativeSpawning.isSupported(), "posix_spawn");
  }

  /** How many bytes a call writes, of some more than it is given. */
  private static long written(long bytes, ToIntFunction<MemorySegment> call) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(2 * bytes, 16).fill(UNTOUCHED);
      assertThat(call.applyAsInt(memory)).isZero();
      long last = 2 * bytes - 1;
      while (last >= 0 && memory.get(ValueLayout.JAVA_BYTE, last) == UNTOUCHED) {
        last--;
      }
      return last + 1;
    }
  }

  @Test
  void memory_isEnoughForTheLibrary() {
    assertThat(written(ProcessAbi.ATTRIBUTES_BYTES, ProcessCalls::initAttributes))
        .isPositive()
        .isLessThanOrEqualTo(ProcessAbi.ATTRIBUTES_BYTES);
    assertThat(written(ProcessAbi.ACTIONS_BYTES, ProcessCalls::initActions))
        .isPositive()
        .isLessThanOrEqualTo(ProcessAbi.ACTIONS_BYTES);
    assertThat(
            written(
                ProcessAbi.SIGNAL_SET_BYTES,
                memory -> {
                  ProcessCalls.fillSignals(memory);
                  return 0;
                }))
        .isBetween(8L, ProcessAbi.SIGNAL_SET_BYTES);
  }

  @Test
  void siginfo_isWhereTheKernelPutsIt() throws Exception {
    var process = new NativeProcess(true);
    var spec = CommandSpec.of(List.of("sh", "-c", "exit 77"));
    NativeSpawning.spawn(
        ProgramLookup.find(spec, System.getenv("PATH")), spec, new SpawnPlan(), process);
    try (var arena = Arena.ofConfined()) {
      MemorySegment errno = LibcCalls.allocateErrno(arena);
      MemorySegment siginfo = arena.allocate(2 * ProcessAbi.SIGINFO_BYTES, 8).fill(UNTOUCHED);
      int options = ProcessAbi.WEXITED | ProcessAbi.WNOWAIT;
      int pid = (int) process.pid();
      assertThat(ProcessCalls.await(errno, ProcessAbi.P_PID, pid, siginfo, options)).isZero();
      assertThat(ProcessAbi.hasEnded(siginfo)).isTrue();
      assertThat(ProcessAbi.status(siginfo)).isEqualTo(ExitStatus.exited(77));
      assertThat(siginfo.get(ValueLayout.JAVA_INT, 16)).as("si_pid").isEqualTo(pid);
      assertThat(siginfo.get(ValueLayout.JAVA_INT, 0)).as("si_signo").isEqualTo(17);
      assertThat(siginfo.get(ValueLayout.JAVA_BYTE, ProcessAbi.SIGINFO_BYTES))
          .as("what is behind it")
          .isEqualTo(UNTOUCHED);
    } finally {
      process.undo();
    }
    ProcessWorld.assertNoChildIsLeft();
  }

  @Test
  void polls_areOfEightBytes() {
    try (var arena = Arena.ofConfined()) {
      assertThat(ProcessAbi.allocatePolls(arena, 3).byteSize()).isEqualTo(24);
    }
  }

  /** The shell knows the names of the numbers of this system. */
  @Test
  void signals_haveTheSystemsNumbers() throws Exception {
    String script = "i=1; while [ $i -lt 32 ]; do kill -l $i; i=$((i+1)); done";
    Process shell = new ProcessBuilder("/bin/sh", "-c", script).redirectErrorStream(true).start();
    List<String> names;
    try (var said = shell.inputReader()) {
      names = said.lines().toList();
    }
    assertThat(shell.waitFor()).isZero();
    var seen = new HashSet<Integer>();
    for (Signal signal : Signal.values()) {
      int number = ProcessAbi.number(signal);
      String name = names.get(number - 1);
      assertThat(name.equals("POLL") ? "IO" : name).isEqualTo(signal.name());
      assertThat(ProcessAbi.signal(number)).contains(signal);
      assertThat(seen.add(number)).isTrue();
    }
    assertThat(ProcessAbi.signal(0)).isEmpty();
    assertThat(ProcessAbi.signal(ProcessAbi.LAST_SIGNAL)).isEmpty();
  }
}
