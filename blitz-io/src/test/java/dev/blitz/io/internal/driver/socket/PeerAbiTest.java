package dev.blitz.io.internal.driver.socket;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.EndpointOption.PeerIdentity;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The layouts of all platforms; none but the one of Linux was ever asked by us. */
class PeerAbiTest {
  /** {@code struct xucred} of macOS. */
  private static final MemoryLayout XUCRED =
      structLayout(
          JAVA_INT.withName("cr_version"),
          JAVA_INT.withName("cr_uid"),
          JAVA_SHORT.withName("cr_ngroups"),
          MemoryLayout.paddingLayout(2),
          sequenceLayout(16, JAVA_INT).withName("cr_groups"));

  /** That of FreeBSD, with a union of a pointer and the number of the process behind it. */
  private static final MemoryLayout LONG_XUCRED =
      structLayout(
          XUCRED.withName("short"),
          MemoryLayout.paddingLayout(4),
          MemoryLayout.unionLayout(ADDRESS.withName("_cr_unused1"), JAVA_INT.withName("cr_pid"))
              .withName("last"));

  @Test
  void answers_areReadWhereTheSystemsPutThem() {
    var user = XUCRED.byteOffset(PathElement.groupElement("cr_uid"));
    var group = XUCRED.byteOffset(PathElement.groupElement("cr_groups"));
    for (Platform platform : new Platform[] {Platform.MACOS, Platform.FREEBSD}) {
      PeerAbi abi = PeerAbi.of(platform);
      assertThat(abi.user()).isEqualTo((int) user);
      assertThat(abi.group()).isEqualTo((int) group);
      assertThat(abi.level()).as("SOL_LOCAL").isZero();
    }
    assertThat(PeerAbi.of(Platform.MACOS).bytes()).isEqualTo((int) XUCRED.byteSize());
    assertThat(PeerAbi.of(Platform.FREEBSD).bytes()).isEqualTo((int) LONG_XUCRED.byteSize());
    assertThat(PeerAbi.of(Platform.FREEBSD).process())
        .isEqualTo((int) LONG_XUCRED.byteOffset(PathElement.groupElement("last")));
  }

  @ParameterizedTest
  @EnumSource(Platform.class)
  void everyPlatform_tellsUserGroupAndProcess_withinTheFrame(Platform platform) {
    String obstacle = NativeAccess.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle); // a frame is for calls
    PeerAbi abi = PeerAbi.of(platform);
    assertThat(abi.bytes()).isLessThanOrEqualTo(CallFrame.ADDRESS_BYTES);
    assertThat(abi.process() == SocketAbi.ABSENT)
        .isEqualTo(abi.processOption() != SocketAbi.ABSENT);
    CallFrame frame = CallFrame.take();
    try {
      frame.address().fill((byte) 0);
      PosixAbi.setIntAt(frame.address(), abi.user(), 1000);
      PosixAbi.setIntAt(frame.address(), abi.group(), 100);
      if (abi.process() == SocketAbi.ABSENT) {
        PosixAbi.setIntAt(frame.value(), 0, 77);
      } else {
        PosixAbi.setIntAt(frame.address(), abi.process(), 77);
      }
      assertThat(abi.read(frame)).isEqualTo(new PeerIdentity(77, 1000, 100));
    } finally {
      frame.giveBack();
    }
  }
}
