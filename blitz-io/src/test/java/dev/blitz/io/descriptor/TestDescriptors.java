package dev.blitz.io.descriptor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Numbers that tests need, as another program would make them. */
final class TestDescriptors {
  private TestDescriptors() {}

  private static final long SYS_PIDFD_OPEN = 434;
  private static final MethodHandle PIDFD_OPEN = LibcCalls.systemCall(JAVA_INT, JAVA_INT);

  interface Call {
    int make(CallFrame frame) throws IOException;
  }

  static int call(String what, Call call) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      return PosixErrors.check(what, call.make(frame));
    } finally {
      frame.giveBack();
    }
  }

  static int[] socketPair() throws IOException {
    int[] ends = new int[2];
    call("socketpair", frame -> SocketCalls.pair(frame, ends));
    return ends;
  }

  static int duplicate(int number) throws IOException {
    return call("dup", frame -> PosixCalls.control(frame, number, PosixAbi.F_DUPFD_CLOEXEC, 3));
  }

  static boolean isNonBlocking(int number) throws IOException {
    int flags = call("fcntl", frame -> PosixCalls.control(frame, number, PosixAbi.F_GETFL, 0));
    return (flags & PosixAbi.O_NONBLOCK) != 0;
  }

  static int open(Path path, int flags) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path.toString());
      return call("open", frame -> PosixCalls.open(frame, name, flags | PosixAbi.O_CLOEXEC, 0));
    }
  }

  static void write(int number, String text) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var bytes = arena.allocateFrom(text, US_ASCII);
      call("write", frame -> PosixCalls.write(frame, number, bytes, text.length()));
    }
  }

  static int processDescriptor(long pid) throws IOException {
    return call(
        "pidfd_open",
        frame -> {
          try {
            long fd = (long) PIDFD_OPEN.invokeExact(frame.errno(), SYS_PIDFD_OPEN, (int) pid, 0);
            return fd >= 0 ? (int) fd : LibcCalls.failure(frame.errno());
          } catch (Throwable t) {
            throw LibcCalls.rethrown(t);
          }
        });
  }

  static boolean isOpen(int number) {
    return Files.exists(Path.of("/proc/self/fd/" + number), LinkOption.NOFOLLOW_LINKS);
  }
}
