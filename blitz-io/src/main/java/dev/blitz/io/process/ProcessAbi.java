package dev.blitz.io.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.signal.Signal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Layouts and numbers of {@code <spawn.h>}, {@code <signal.h>} and {@code <sys/wait.h>} on Linux,
 * the same on x86-64, AArch64 and all others that a JDK is built for.
 */
final class ProcessAbi {
  private ProcessAbi() {}

  /** The system calls that the C library may not have a name for. */
  static final long PIDFD_SEND_SIGNAL = 424;

  static final long PIDFD_OPEN = 434;

  static final short POSIX_SPAWN_SETPGROUP = 0x02;
  static final short POSIX_SPAWN_SETSIGDEF = 0x04;
  static final short POSIX_SPAWN_SETSIGMASK = 0x08;

  static final int P_PID = 1;
  static final int P_PIDFD = 3;
  static final int WNOHANG = 1;
  static final int WEXITED = 4;
  static final int WNOWAIT = 0x1000000;
  private static final int CLD_EXITED = 1;

  /** More than any C library needs: glibc and musl have 336 and 80 bytes. */
  static final long ATTRIBUTES_BYTES = 512;

  static final long ACTIONS_BYTES = 256;
  static final long SIGNAL_SET_BYTES = 128;
  static final long SIGINFO_BYTES = 128;

  private static final long SI_CODE = 8;
  private static final long SI_PID = 16;
  private static final long SI_STATUS = 24;

  private static final int POLLFD_BYTES = 8;
  private static final short POLLIN = PosixAbi.POLLIN;

  /** The last real-time signal. */
  static final int LAST_SIGNAL = 64;

  private static final Map<Signal, Integer> NUMBERS = new EnumMap<>(Signal.class);

  static {
    List<Signal> fromOne =
        List.of(
            Signal.HUP,
            Signal.INT,
            Signal.QUIT,
            Signal.ILL,
            Signal.TRAP,
            Signal.ABRT,
            Signal.BUS,
            Signal.FPE,
            Signal.KILL,
            Signal.USR1,
            Signal.SEGV,
            Signal.USR2,
            Signal.PIPE,
            Signal.ALRM,
            Signal.TERM);
    List<Signal> fromSeventeen =
        List.of(
            Signal.CHLD,
            Signal.CONT,
            Signal.STOP,
            Signal.TSTP,
            Signal.TTIN,
            Signal.TTOU,
            Signal.URG,
            Signal.XCPU,
            Signal.XFSZ,
            Signal.VTALRM,
            Signal.PROF,
            Signal.WINCH,
            Signal.IO);
    enter(fromOne, 1);
    enter(fromSeventeen, 17);
    NUMBERS.put(Signal.SYS, 31);
  }

  private static void enter(List<Signal> signals, int first) {
    for (int i = 0; i < signals.size(); i++) {
      NUMBERS.put(signals.get(i), first + i);
    }
  }

  static int number(Signal signal) {
    Integer number = NUMBERS.get(signal);
    if (number == null) {
      throw new IllegalArgumentException("no number for " + signal);
    }
    return number;
  }

  static Optional<Signal> signal(int number) {
    return NUMBERS.entrySet().stream()
        .filter(e -> e.getValue() == number)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** An array of strings that ends with a null pointer. */
  static MemorySegment strings(Arena arena, List<String> all) {
    MemorySegment array = arena.allocate(ADDRESS, all.size() + 1L);
    for (int i = 0; i < all.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(all.get(i)));
    }
    array.setAtIndex(ADDRESS, all.size(), MemorySegment.NULL);
    return array;
  }

  static int intAt(MemorySegment memory) {
    return memory.get(JAVA_INT, 0);
  }

  static MemorySegment allocateInt(Arena arena) {
    return arena.allocate(JAVA_INT);
  }

  /** Whether a wait has left an end there. */
  static boolean hasEnded(MemorySegment siginfo) {
    return siginfo.get(JAVA_INT, SI_PID) != 0;
  }

  static ExitStatus status(MemorySegment siginfo) {
    int status = siginfo.get(JAVA_INT, SI_STATUS);
    return siginfo.get(JAVA_INT, SI_CODE) == CLD_EXITED
        ? ExitStatus.exited(status)
        : ExitStatus.killed(status);
  }

  static MemorySegment allocatePolls(Arena arena, int count) {
    return arena.allocate((long) POLLFD_BYTES * count, 8);
  }

  /** Entry {@code index} waits for {@code fd} to be readable. */
  static void setPoll(MemorySegment polls, int index, int fd) {
    long at = (long) index * POLLFD_BYTES;
    polls.set(JAVA_INT, at, fd);
    polls.set(JAVA_SHORT, at + 4, POLLIN);
    polls.set(JAVA_SHORT, at + 6, (short) 0);
  }
}
