package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What happens in a process with few descriptors, or without native access; in a JVM of its own.
 */
@Strict
@OnceIsEnough
class DescriptorLimitTest {

  static List<String> backends() {
    return Backends.probeAll().stream()
        .filter(BackendProbe::available)
        .map(BackendProbe::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void accept_withoutDescriptors_goesOnWhenThereAreSomeAgain(String backend) throws Exception {
    String output = ChildJvm.outputWithDescriptors(96, FewDescriptors.class, backend);
    assertThat(output).endsWith("all connections answered");
    if (backend.equals("epoll")) { // with io_uring the kernel may have accepted ahead
      assertThat(output).contains("cannot accept");
    }
  }

  /** An accept that waits for descriptors learns that its runtime closes. */
  @ParameterizedTest
  @MethodSource("backends")
  void accept_withoutDescriptors_endsWithItsRuntime(String backend) throws Exception {
    assertThat(ChildJvm.outputWithDescriptors(96, PausedAccept.class, backend))
        .endsWith("the accept has ended");
  }

  /** Nothing is prepared: what the JVM loads, and what is logged, finds no descriptor either. */
  @ParameterizedTest
  @MethodSource("backends")
  void aServerThatRunsOutOfDescriptors_servesEverybodyInTheEnd(String backend) throws Exception {
    assertThat(ChildJvm.outputWithDescriptors(80, CrowdedServer.class, backend))
        .endsWith("everybody was answered");
  }

  @ParameterizedTest
  @MethodSource("backends")
  void connections_areClosed_alsoAfterCallsThatFoundNoMemory(String backend) throws Exception {
    assertThat(
            ChildJvm.outputOf(
                NoNativeMemory.class,
                backend,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:MaxDirectMemorySize=4m"))
        .contains("calls without memory")
        .doesNotContain("calls without memory: 0")
        .endsWith("every peer has seen the end");
  }

  @Test
  void whereNativeAccessIsDenied_everythingRuns_byMeansOfTheJdk() throws Exception {
    assertThat(ChildJvm.outputOf(NoNativeAccess.class, "", "--illegal-native-access=deny"))
        .contains(
            "epoll: not available, native access is denied", "--enable-native-access=ALL-UNNAMED")
        .contains("nio: available")
        .contains("timer: fired", "tcp: echo", "udp: datagram", "file: contents", "process: child")
        .endsWith("all ran");
  }

  @Test
  void whereTheJvmOnlyWarns_aNativeBackendIsUsed() throws Exception {
    assertThat(ChildJvm.outputOf(NoNativeAccess.class, "", "--illegal-native-access=warn"))
        .doesNotContain("nio: available")
        .endsWith("all ran");
  }
}
