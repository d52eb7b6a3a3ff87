package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** A kernel that refuses the ring's system call from some moment on. */
@Strict
@OnceIsEnough
class RefusedRingTest {
  /** The same on every architecture that a JDK is built for. */
  private static final String SYS_IO_URING_ENTER = "426";

  @Test
  void aRingThatIsRefused_isToldOnce_itsOperationsFail_andTheRuntimeGoesOn() throws Exception {
    assumeTrue(
        Backends.probeAll().stream().anyMatch(p -> p.name().equals("io_uring") && p.available()),
        "no io_uring here");
    String said =
        ChildJvm.outputOf(
            RefusedRing.class, SYS_IO_URING_ENTER, "--enable-native-access=ALL-UNNAMED");
    assumeTrue(!said.contains("takes no filter"), said);
    assertThat(said)
        .containsOnlyOnce("uncaught failure of the io_uring of worker 0")
        .containsOnlyOnce("io_uring_enter")
        .contains("the read that waited: java.net.SocketException")
        .contains("a later read: java.net.SocketException")
        .contains("timers and tasks: go on")
        .endsWith("closed");
  }
}
