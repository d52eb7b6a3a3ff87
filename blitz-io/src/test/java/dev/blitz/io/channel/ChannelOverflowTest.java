package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stack that overflows in the middle of an operation: see {@link OverflowPrograms}. In JVMs of
 * their own, because it depends on who has compiled what.
 */
@Strict
@OnceIsEnough // its programs use no direct tasks
class ChannelOverflowTest {
  private static final int SHIFTS = 24;

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
  void aStackThatOverflows_leavesNothingHalfDone(String mode) throws Exception {
    var result =
        ChildJvm.run(
            OverflowPrograms.class,
            List.of(mode, "-XX:MaxJavaStackTraceDepth=16"), // traces were most of the time
            List.of(String.valueOf(SHIFTS)));
    assertThat(result.exit()).as(result.output()).isZero();
    assertThat(result.output()).contains("0 wrong of " + OverflowPrograms.all().size());
  }
}
