package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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

  /** An accept that waits for descriptors looks for the last time: there are some by now. */
  @ParameterizedTest
  @MethodSource("backends")
  void accept_withoutDescriptors_looksWhenItIsStopped(String backend) throws Exception {
    assumeFalse(backend.equals("iocp"), "threads of the JDK accept, in their own time");
    assertThat(ChildJvm.outputWithDescriptors(96, PausedLook.class, backend))
        .endsWith("what was there has been accepted");
  }

  /** Nor is it put off by what was found before, and nobody has seen yet. */
  @ParameterizedTest
  @MethodSource("backends")
  void accept_withoutDescriptors_looksAgainWhenItIsStopped(String backend) throws Exception {
    assumeFalse(backend.equals("iocp"), "threads of the JDK accept, in their own time");
    assertThat(ChildJvm.outputWithDescriptors(96, UnseenLook.class, backend))
        .endsWith("what was there has been accepted");
  }

  /** Nothing is prepared: what the JVM loads finds no descriptor either, and the log throws. */
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
        .contains(
            "forced: the backend that was asked for: io_uring: not available, native access",
            "forced: the backend that was asked for: epoll: not available, native access",
            "forced: the backend that was asked for: poll: not available, native access")
        .contains(
            "refused: nio has no pairs of Unix sockets",
            "refused: nio has no Unix sockets of datagrams",
            "refused: nio has no way to take over a descriptor, such as 1000")
        .doesNotContain("not refused")
        .contains("nio: available")
        .contains("timer: fired", "tcp: echo", "udp: datagram", "file: contents", "process: child")
        .endsWith("all ran");
  }

  @Test
  void whereTheJvmOnlyWarns_aNativeBackendIsUsed() throws Exception {
    assertThat(ChildJvm.outputOf(NoNativeAccess.class, "", "--illegal-native-access=warn"))
        .doesNotContain("nio: available", "native access is denied")
        .endsWith("all ran");
  }
}
