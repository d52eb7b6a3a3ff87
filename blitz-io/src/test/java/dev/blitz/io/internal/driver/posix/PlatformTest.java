package dev.blitz.io.internal.driver.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.testkit.Strict;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Strict
class PlatformTest {

  @Test
  void platforms_areKnownByTheNamesOfTheJvm() {
    assertThat(Platform.of("Linux")).isEqualTo(Platform.LINUX);
    assertThat(Platform.of("Mac OS X")).isEqualTo(Platform.MACOS);
    assertThat(Platform.of("FreeBSD")).isEqualTo(Platform.FREEBSD);
    assertThat(Platform.of("Windows 11")).isEqualTo(Platform.UNKNOWN);
    assertThat(ErrnoTable.of(Platform.LINUX)).isNull();
  }

  @Test
  void whereLinuxDiffers_othersHaveTheirOwn() {
    assertThat(PosixNumber.O_NONBLOCK.on(Platform.MACOS)).isEqualTo(4);
    assertThat(PosixNumber.O_CLOEXEC.on(Platform.MACOS)).isEqualTo(1 << 24);
    assertThat(PosixNumber.O_CLOEXEC.on(Platform.FREEBSD)).isEqualTo(1 << 20);
    assertThat(PosixNumber.POLL_MASK.on(Platform.FREEBSD) & PosixAbi.POLLRDHUP).isZero();
  }

  private static List<Integer> allOfErrno() throws IllegalAccessException {
    var all = new ArrayList<Integer>();
    for (var field : Errno.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
        all.add(field.getInt(null));
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = Platform.class,
      names = {"MACOS", "FREEBSD"})
  void failures_areTranslatedThereAndBack(Platform platform) throws Exception {
    ErrnoTable table = ErrnoTable.of(platform);
    var unknown = new ArrayList<Integer>();
    for (int errno : allOfErrno()) {
      int system = table.toSystem(errno);
      if (table.toOurs(system) != errno) {
        unknown.add(errno); // Linux alone has it
      }
    }
    assertThat(unknown).isSubsetOf(Errno.ENONET, Errno.ETIME);

    var seen = new HashSet<Integer>();
    for (int system = 1; system < 200; system++) {
      int ours = table.toOurs(system);
      boolean alias = platform == Platform.MACOS && (system == 41 || system == 45);
      if (!alias) {
        assertThat(seen.add(ours)).as("%s stands for two", ours).isTrue();
        assertThat(table.toSystem(ours)).isEqualTo(system);
      }
    }
    assertThat(table.toOurs(35)).isEqualTo(Errno.EAGAIN);
    assertThat(table.toOurs(11)).as("EDEADLK there").isNotEqualTo(Errno.EAGAIN);
  }

  @Test
  void aSendIntoAConnectionBeingTornDown_isABrokenPipe_onMacos() {
    assertThat(ErrnoTable.of(Platform.MACOS).toOurs(41)).isEqualTo(Errno.EPIPE);
    assertThat(ErrnoTable.of(Platform.FREEBSD).toOurs(41)).isNotEqualTo(Errno.EPIPE);
  }

  @Test
  void aFunctionThatIsMissing_failsWithEnosys() throws Throwable {
    String obstacle = NativeAccess.obstacle();
    assumeTrue(obstacle == null, obstacle);
    MethodHandle missing =
        LibcCalls.intCallIfAny("no_such_function_anywhere", java.lang.foreign.ValueLayout.JAVA_INT);
    CallFrame frame = CallFrame.take();
    try {
      assertThat((int) missing.invokeExact(frame.errno(), 1)).isEqualTo(-1);
      assertThat(LibcCalls.failure(frame.errno())).isEqualTo(-Errno.ENOSYS);
    } finally {
      frame.giveBack();
    }
  }

  @Test
  void aPlainPipe_isNotInherited_andMovesBytes() {
    String obstacle = NativeAccess.obstacle();
    assumeTrue(obstacle == null, obstacle);
    CallFrame frame = CallFrame.take();
    int[] ends = new int[2];
    try {
      assertThat(PosixCalls.plainPipe(frame, ends)).isNotNegative();
      for (int end : ends) {
        assertThat(PosixCalls.control(frame, end, 1, 0)).isEqualTo(PosixAbi.FD_CLOEXEC);
      }
      assertThat(PosixCalls.write(frame, ends[1], frame.staging(), 3)).isEqualTo(3);
      assertThat(PosixCalls.read(frame, ends[0], frame.staging(), 8)).isEqualTo(3);
      assertThat(PosixCalls.fileType(frame, ends[0])).isEqualTo(PosixAbi.S_IFIFO);
    } finally {
      PosixCalls.close(ends[0]);
      PosixCalls.close(ends[1]);
      frame.giveBack();
    }
  }
}
