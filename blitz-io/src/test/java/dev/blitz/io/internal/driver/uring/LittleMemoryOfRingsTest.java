package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** The memory ends before the driver does: see {@link LittleMemoryOfRings}. */
@Strict
@OnceIsEnough
class LittleMemoryOfRingsTest {

  @Test
  void theEnd_withoutMemory_leavesNothing() throws Exception {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
    var result =
        ChildJvm.run(
            LittleMemoryOfRings.class,
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx12m",
            "-XX:+UseSerialGC",
            "-XX:-UseTLAB",
            "-XX:-UseGCOverheadLimit");
    assertThat(result.output()).contains("wrong: none");
  }
}
