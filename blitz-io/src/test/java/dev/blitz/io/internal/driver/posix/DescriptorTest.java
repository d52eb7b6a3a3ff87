package dev.blitz.io.internal.driver.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class DescriptorTest {

  @BeforeEach
  void onlyOnLinux() {
    assumeTrue(NativeAccess.obstacleOnLinux() == null, () -> NativeAccess.obstacleOnLinux());
  }

  private static boolean isOpen(Descriptor d) {
    return Files.exists(Path.of("/proc/self/fd/" + d.number()), LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void theNumber_isClosedAfterItsLastUse() throws Exception {
    Descriptor d = SocketHandle.openSocket(AddressFamily.IPV4);
    assertThat(d.tryUse()).isTrue();
    assertThat(d.tryUse()).isTrue();
    assertThat(d.close()).isTrue();
    assertThat(d.isOpen()).isFalse();
    assertThat(d.close()).isFalse();
    assertThat(d.tryUse()).isFalse();
    assertThat(d.toString()).contains("closing", "in use by 2");
    d.release();
    assertThat(isOpen(d)).isTrue();
    d.release();
    assertThat(isOpen(d)).isFalse();
  }

  @Test
  void withoutUsers_closeClosesAtOnce() throws Exception {
    Descriptor d = SocketHandle.openSocket(AddressFamily.IPV6);
    assertThat(isOpen(d)).isTrue();
    assertThat(d.close()).isTrue();
    assertThat(isOpen(d)).isFalse();
  }

  @Test
  void usersAndClosers_race_andTheNumberStaysValidForEachUser() throws Exception {
    for (int round = 0; round < 200; round++) {
      Descriptor d = SocketHandle.openSocket(AddressFamily.IPV4);
      var closers = new AtomicInteger();
      Race.run(
          4,
          who -> {
            if (who == 0 || who == 1) {
              if (d.close()) {
                closers.incrementAndGet();
              }
            } else if (d.tryUse()) {
              assertThat(isOpen(d)).isTrue();
              d.release();
            }
          });
      assertThat(closers).hasValue(1);
      assertThat(d.isOpen()).isFalse();
    }
  }
}
