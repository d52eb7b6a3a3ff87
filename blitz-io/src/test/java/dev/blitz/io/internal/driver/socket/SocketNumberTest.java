package dev.blitz.io.internal.driver.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.posix.Platform;
import java.util.Arrays;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SocketNumberTest {

  /** A slip of the pen shows as two options of one level with the same number. */
  @ParameterizedTest
  @EnumSource(Platform.class)
  void noTwoOptionsOfALevel_shareANumber(Platform platform) {
    for (String level : new String[] {"SO_", "IP_", "IPV6_", "TCP_", "MSG_"}) {
      var seen = new HashMap<Integer, SocketNumber>();
      for (SocketNumber number : SocketNumber.values()) {
        int value = number.on(platform);
        if (number.name().startsWith(level) && value > 0) {
          assertThat(seen.put(value, number)).as("%s on %s", number, platform).isNull();
        }
      }
      assertThat(seen).as(level).isNotEmpty();
    }
  }

  @Test
  void linuxHasAllButTheOnesOfMacos_andOthersLackWhatIsItsOwn() {
    assertThat(absentOn(Platform.LINUX))
        .containsExactlyInAnyOrder(SocketNumber.SO_NREAD, SocketNumber.SO_NOSIGPIPE);
    assertThat(absentOn(Platform.MACOS))
        .containsExactlyInAnyOrder(
            SocketNumber.SO_BINDTODEVICE,
            SocketNumber.SO_PEERCRED,
            SocketNumber.TCP_QUICKACK,
            SocketNumber.TCP_USER_TIMEOUT,
            SocketNumber.TCP_FASTOPEN,
            SocketNumber.TCP_FASTOPEN_CONNECT);
    assertThat(absentOn(Platform.FREEBSD))
        .containsAll(absentOn(Platform.MACOS))
        .contains(SocketNumber.SO_NREAD);
  }

  /** What cannot be said by a flag must be said by an option, or asked for. */
  @ParameterizedTest
  @EnumSource(Platform.class)
  void everyPlatform_hasAWay(Platform platform) {
    assertThat(
            SocketNumber.MSG_NOSIGNAL.on(platform) != 0
                || SocketNumber.SO_NOSIGPIPE.on(platform) != SocketAbi.ABSENT)
        .as("to send without a signal")
        .isTrue();
    assertThat(
            SocketNumber.MSG_TRUNC.on(platform) != 0
                || SocketNumber.SO_NREAD.on(platform) != SocketAbi.ABSENT)
        .as("to tell how long a datagram was")
        .isTrue();
    assertThat(SocketNumber.SOCK_NONBLOCK.on(platform) == 0)
        .as("both flags of a new socket, or none")
        .isEqualTo(SocketNumber.SOCK_CLOEXEC.on(platform) == 0);
  }

  private static java.util.List<SocketNumber> absentOn(Platform platform) {
    return Arrays.stream(SocketNumber.values())
        .filter(n -> n.on(platform) == SocketAbi.ABSENT)
        .toList();
  }
}
