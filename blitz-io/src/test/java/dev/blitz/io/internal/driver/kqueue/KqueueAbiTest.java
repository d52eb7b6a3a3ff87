package dev.blitz.io.internal.driver.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The layouts of systems that this machine need not be. */
class KqueueAbiTest {

  @Test
  void eachPlatform_hasItsOwn() {
    assertThat(KqueueAbi.of(Platform.MACOS)).isEqualTo(KqueueAbi.MACOS);
    assertThat(KqueueAbi.of(Platform.FREEBSD)).isEqualTo(KqueueAbi.FREEBSD);
    assertThat(KqueueAbi.of(Platform.LINUX)).isEqualTo(KqueueAbi.LIBKQUEUE);
    assertThat(KqueueAbi.MACOS.eventBytes()).isEqualTo(32);
    assertThat(KqueueAbi.FREEBSD.eventBytes()).isEqualTo(64);
    assertThat(KqueueAbi.LIBKQUEUE.eventBytes()).isEqualTo(32);
    assertThat(KqueueAbi.MACOS.userFilter()).isEqualTo(-10);
    assertThat(KqueueAbi.FREEBSD.userFilter()).isEqualTo(-11);
    assertThat(KqueueAbi.LIBKQUEUE.forgetsClosed()).isFalse();
  }

  /** Byte for byte as a C compiler lays out a {@code struct kevent}. */
  @ParameterizedTest
  @EnumSource(KqueueAbi.class)
  void anEntry_liesAsTheSystemHasIt(KqueueAbi abi) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment events = abi.allocate(arena, 2);
      events.fill((byte) -1);
      abi.set(events, 1, 7, KqueueAbi.EVFILT_WRITE, 0x8021, 0x01020304, 0x1122334455667788L);
      abi.setData(events, 1, 32);

      var expected = ByteBuffer.allocate(abi.eventBytes()).order(ByteOrder.nativeOrder());
      expected.putLong(7).putShort((short) -2).putShort((short) 0x8021).putInt(0x01020304);
      expected.putLong(32).putLong(0x1122334455667788L);
      assertThat(events.asSlice(abi.eventBytes()).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(expected.array());

      assertThat(abi.ident(events, 1)).isEqualTo(7);
      assertThat(abi.filter(events, 1)).isEqualTo(-2);
      assertThat(abi.flags(events, 1)).isEqualTo(0x8021);
      assertThat(abi.note(events, 1)).isEqualTo(0x01020304);
      assertThat(abi.data(events, 1)).isEqualTo(32);
      assertThat(abi.userData(events, 1)).isEqualTo(0x1122334455667788L);
    }
  }

  @Test
  void aTimespec_hasSecondsAndNanoseconds() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment timespec = KqueueAbi.allocateTimespec(arena);
      KqueueAbi.setTimespec(timespec, 3_000_000_005L);
      assertThat(timespec.toArray(ValueLayout.JAVA_LONG)).containsExactly(3, 5);
      assertThat(KqueueAbi.timespecNanos(timespec)).isEqualTo(3_000_000_005L);
    }
  }
}
