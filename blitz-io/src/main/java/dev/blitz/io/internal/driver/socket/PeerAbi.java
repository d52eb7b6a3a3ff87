package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.EndpointOption.PeerIdentity;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.lang.foreign.MemorySegment;

/**
 * How a platform tells who is at the other end of a Unix stream: {@code struct ucred} of Linux,
 * {@code struct xucred} of {@code <sys/ucred.h>} elsewhere, whose first group is the one that
 * counts.
 *
 * @param level the level of the option
 * @param option its number
 * @param bytes how long the answer is
 * @param user where the user's number is in it
 * @param group where the group's number is
 * @param process where the number of the process is, or {@link SocketAbi#ABSENT}
 * @param processOption the option that tells that instead, or {@link SocketAbi#ABSENT}
 */
record PeerAbi(
    int level, int option, int bytes, int user, int group, int process, int processOption) {
  /** {@code SOL_LOCAL}, {@code LOCAL_PEERCRED} and, on macOS, {@code LOCAL_PEERPID}. */
  private static final int SOL_LOCAL = 0;

  private static final int LOCAL_PEERCRED = 1;
  private static final int LOCAL_PEERPID = 2;

  private static final PeerAbi HERE = of(Platform.here());

  static PeerAbi of(Platform platform) {
    return switch (platform) {
      case LINUX, UNKNOWN ->
          new PeerAbi(
              SocketNumber.SOL_SOCKET.on(platform),
              SocketNumber.SO_PEERCRED.on(platform),
              SocketAbi.IDENTITY_BYTES,
              4,
              8,
              0,
              SocketAbi.ABSENT);
      // version, user, how many groups, sixteen groups
      case MACOS ->
          new PeerAbi(SOL_LOCAL, LOCAL_PEERCRED, 76, 4, 12, SocketAbi.ABSENT, LOCAL_PEERPID);
      // the same, and the process in the place of a pointer, since release 13; 0 before
      case FREEBSD -> new PeerAbi(SOL_LOCAL, LOCAL_PEERCRED, 88, 4, 12, 80, SocketAbi.ABSENT);
    };
  }

  static PeerAbi here() {
    return HERE;
  }

  /** Asks; 0, or {@code -errno}. The answer is then to be {@link #read} from the frame. */
  int ask(CallFrame frame, int fd) {
    PosixAbi.setIntAt(frame.value(), 0, 0);
    if (processOption != SocketAbi.ABSENT) {
      int r = SocketCalls.getOption(frame, fd, level, processOption, Integer.BYTES);
      if (r < 0) {
        return r;
      }
    }
    return SocketCalls.getLongOption(frame, fd, level, option, bytes);
  }

  /** What {@link #ask} has found. */
  PeerIdentity read(CallFrame frame) {
    MemorySegment answer = frame.address();
    return new PeerIdentity(
        process == SocketAbi.ABSENT
            ? PosixAbi.intAt(frame.value(), 0)
            : PosixAbi.intAt(answer, process),
        PosixAbi.intAt(answer, user),
        PosixAbi.intAt(answer, group));
  }
}
