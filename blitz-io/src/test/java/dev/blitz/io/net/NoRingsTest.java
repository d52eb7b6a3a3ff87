package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rings that cannot be made although the probe has found io_uring. */
@Strict
@OnceIsEnough
class NoRingsTest {
  /** The same on every architecture that a JDK is built for. */
  private static final String SYS_IO_URING_SETUP = "425";

  private static final String SYS_IO_URING_REGISTER = "427";

  @BeforeEach
  void needsUring() {
    assumeTrue(TestBackends.probe("io_uring").available());
  }

  private static void assertFallsBack(String said, String refused) {
    assumeTrue(!said.contains("takes no filter"), said);
    assertThat(said)
        .contains("at first: 1 byte by io_uring")
        .containsPattern(
            "then: 1 byte by epoll: available, .*; io_uring: not available, .*" + refused)
        .containsOnlyOnce("INFO: io_uring: not available, ")
        .doesNotContain("by name: 1 byte")
        .containsPattern("by name: java.io.IOException: io_uring cannot make ring .*" + refused)
        .contains("descriptors left behind: 0")
        .endsWith("threads left behind: []");
  }

  @Test
  void aFilterThatForbidsThem_letsTheNextBackendBeUsed() throws Exception {
    assertFallsBack(
        ChildJvm.outputOf(NoRings.class, SYS_IO_URING_SETUP, "--enable-native-access=ALL-UNNAMED"),
        "io_uring_setup: .*errno 12.*ulimit -l");
  }

  @Test
  void buffersThatCannotBeRegistered_letTheNextBackendBeUsed() throws Exception {
    assertFallsBack(
        ChildJvm.outputOf(
            NoRings.class, SYS_IO_URING_REGISTER, "--enable-native-access=ALL-UNNAMED"),
        "1 of 4: registering a buffer ring: .*errno 12.*ulimit -l");
  }

  /** Some of the rings have been made by then. */
  @Test
  void fewDescriptors_letTheNextBackendBeUsed() throws Exception {
    assertFallsBack(
        ChildJvm.outputWithDescriptors(96, NoRings.class, "descriptors"), "[234] of 4: .*errno 24");
  }
}
