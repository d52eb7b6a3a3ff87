package dev.blitz.io.internal.driver.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.testkit.Strict;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
class SocketOptionsTest {

  @BeforeEach
  void hasSockets() {
    assumeTrue(NativeAccess.obstacleOnLinux() == null, () -> NativeAccess.obstacleOnLinux());
  }

  /** A socket for both families has two of each: one for peers that it reaches by IPv4. */
  @Test
  void timeToLiveAndTrafficClass_ofAnIpv6Socket_areThoseOfItsIpv4PeersToo() throws Exception {
    Descriptor socket;
    try {
      socket = SocketHandle.openSocket(AddressFamily.IPV6);
    } catch (SocketException e) {
      assumeTrue(false, "a system with IPv6");
      return;
    }
    CallFrame frame = CallFrame.take();
    try {
      for (var option : List.of(EndpointOption.TIME_TO_LIVE, StandardSocketOptions.IP_TOS)) {
        int r = SocketOptions.set(frame, socket.number(), AddressFamily.IPV6, option, 16);
        assertThat(r).isGreaterThanOrEqualTo(0);
        for (AddressFamily family : List.of(AddressFamily.IPV4, AddressFamily.IPV6)) {
          SocketOptions.get(frame, socket.number(), family, option);
          assertThat(SocketOptions.read(frame, family, option))
              .as("%s for %s", option, family)
              .isEqualTo(16);
        }
      }
    } finally {
      frame.giveBack();
      socket.close();
    }
  }
}
