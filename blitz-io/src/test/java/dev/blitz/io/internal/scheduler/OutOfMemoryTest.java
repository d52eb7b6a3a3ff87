package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queues lose nothing when there is no memory: see {@link OutOfMemoryProgram}. */
@Strict
@OnceIsEnough // the queues alone
class OutOfMemoryTest {

  @Test
  void noMemory_losesNoTask() throws Exception {
    var options = List.of("-Xmx24m", "-XX:+UseSerialGC", "-XX:-UseGCOverheadLimit");
    var result = ChildJvm.run(OutOfMemoryProgram.class, options, List.of());
    assertThat(result.output()).contains("wrong: none");
  }
}
