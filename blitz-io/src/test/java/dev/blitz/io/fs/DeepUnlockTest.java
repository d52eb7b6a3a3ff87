package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The close of a lock that overflows has done nothing, wherever the compilers have its methods look
 * for stack: see {@link DeepUnlockProgram}.
 *
 * <p>A compiled method looks at its entry for all that it has inside. So one that is called in the
 * midst of something, and has a check inside, overflows before its own first step.
 */
@Strict
@OnceIsEnough
class DeepUnlockTest {
  private static final String FILE = "dev.blitz.io.internal.file.";

  /** Compiles what claims and what follows, each by itself, and what that looks for inside it. */
  private static final List<String> APART =
      List.of(
          "-Xcomp",
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=compileonly," + FILE + "RangeLock::giveBack",
          "-XX:CompileCommand=compileonly," + FILE + "RangeLock::proceed",
          "-XX:CompileCommand=dontinline," + FILE + "RangeLock::proceed",
          "-XX:CompileCommand=inline," + FILE + "OpenFile::begin",
          "-XX:CompileCommand=inline,dev.blitz.io.internal.base.StackRoom::forMany");

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void aCloseThatOverflows_hasDoneNothing(String compilers, @TempDir Path dir) throws Exception {
    TestBackends.assumeAvailable("epoll");
    List<String> options = new ArrayList<>(List.of(compilers, "-XX:MaxJavaStackTraceDepth=16"));
    if (!compilers.equals("-Xint")) {
      options.addAll(APART);
    }
    List<String> arguments =
        List.of(TestBackends.JDK_FILES, dir.toRealPath().resolve("f").toString());
    var result = ChildJvm.run(DeepUnlockProgram.class, options, arguments);
    assertThat(result.output()).contains("overflows: true, half done: 0");
  }
}
