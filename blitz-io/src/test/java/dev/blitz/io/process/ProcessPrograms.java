package dev.blitz.io.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.signal.Signal;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs that a JVM of its own runs; see {@link ProcessProgramsTest}. */
final class ProcessPrograms {
  private static final int F_GETFD = 1;
  private static final int RLIMIT_NPROC = 6;
  private static final int NOBODY = 65_534;
  private static final int EAGAIN = 11;

  private ProcessPrograms() {}

  /** {@code args}: which one. */
  public static void main(String[] args) throws Throwable {
    switch (args[0]) {
      case "few descriptors" -> fewDescriptors();
      case "copy" -> copy();
      case "shut" -> shut();
      case "closed input" -> closedInput();
      case "slow kill" -> slowKill(Path.of(args[1]));
      case "few processes" -> fewProcesses(args[1].equals("jdk"));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** The descriptors are used up, but for each number in turn that are left. */
  private static void fewDescriptors() throws Exception {
    Blitz.run(() -> {
      Command command = Command.of("/bin/sh", "-c", "cat; echo ok").stdin(Stdio.pipe());
      try (Child first = command.stdout(Stdio.pipe()).start().await()) { // all is loaded now
        first.stdin().shutdown().await();
        IO.println("first: " + first.output().await().text().strip());
      }
      IO.println("words: " + PosixErrors.of("pipe", Errno.EMFILE)); // loads what tells of it
      for (int left = 1; left < 10; left++) { // one, for classes that are still to be loaded
        List<FileInputStream> all = useUp();
        for (int i = 0; i < left; i++) {
          all.removeLast().close();
        }
        String result;
        try {
          Output output = Command.of("/bin/sh", "-c", "echo ok").output().await();
          result = output.text().strip();
        } catch (IOException e) {
          result = String.valueOf(e.getMessage());
        }
        for (FileInputStream f : all) {
          f.close();
        }
        IO.println(left + " left: " + result);
      }
      IO.println("children: " + ProcessHandle.current().children().count());
      IO.println("last: " + Command.of("/bin/sh", "-c", "echo ok").output().await().text().strip());
    });
  }

  private static List<FileInputStream> useUp() {
    List<FileInputStream> all = new ArrayList<>();
    try {
      while (true) {
        all.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      return all;
    }
  }

  /** Its own input to its own output. */
  private static void copy() throws Exception {
    Blitz.run(() -> {
      long n = Bytes.copy(StandardStreams.input(), StandardStreams.output()).await();
      byte[] words = ("copied " + n).getBytes(StandardCharsets.UTF_8);
      StandardStreams.error().writeAll(ByteBuffer.wrap(words)).await();
    });
  }

  /** What the runtime does with its own stream of the output does not end the output. */
  private static void shut() throws Exception {
    Blitz.run(() -> {
      var output = StandardStreams.output();
      output.writeAll(ByteBuffer.wrap("one\n".getBytes(StandardCharsets.UTF_8))).await();
      output.shutdown().await();
    });
    IO.println("two");
  }

  /** New descriptors take the number of the input, which this process does not have. */
  private static void closedInput() throws Exception {
    Blitz.run(() -> {
      Command cat = Command.of("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe());
      for (int closed = 0; closed < 2; closed++) { // the second: also without an error output
        PosixCalls.close(2 * closed);
        try (Child child = cat.start().await()) {
          child.stdin().writeAll(ByteBuffer.wrap(new byte[] {'o', 'k'})).await();
          child.stdin().shutdown().await();
          IO.println(child.output().await().text());
        }
      }
    });
  }

  /** A program sends the signal, and waits for {@code gate} first. */
  private static void slowKill(Path gate) throws Exception {
    Blitz.run(() -> {
      try (Child child = Command.of("sleep", "1000").by(new JdkSpawning()).start().await()) {
        boolean sent = child.signal(Signal.USR1);
        boolean group = child.signalGroup(Signal.CONT);
        IO.println("sent: " + sent + ", " + group);
        Files.createFile(gate);
        IO.println(child.exited().await());
      }
    });
  }

  private static int descriptors() {
    CallFrame frame = CallFrame.take();
    int open = 0;
    for (int fd = 0; fd < 1000; fd++) {
      open += PosixCalls.control(frame, fd, F_GETFD, 0) >= 0 ? 1 : 0;
    }
    frame.giveBack();
    return open;
  }

  /** {@code most}: how many processes the user may have; -1 for as many as before. */
  private static int setProcesses(long most) throws Throwable {
    MethodHandle get = LibcCalls.intCall("getrlimit", JAVA_INT, ADDRESS);
    MethodHandle set = LibcCalls.intCall("setrlimit", JAVA_INT, ADDRESS);
    try (var arena = Arena.ofConfined()) {
      MemorySegment errno = LibcCalls.allocateErrno(arena);
      MemorySegment limit = arena.allocate(JAVA_LONG, 2);
      int r = (int) get.invokeExact(errno, RLIMIT_NPROC, limit);
      limit.setAtIndex(JAVA_LONG, 0, most < 0 ? limit.getAtIndex(JAVA_LONG, 1) : most);
      return r + (int) set.invokeExact(errno, RLIMIT_NPROC, limit);
    }
  }

  /** As a user who may have one process only, when it has more already. */
  private static void fewProcesses(boolean jdk) throws Throwable {
    MethodHandle setUser = LibcCalls.intCall("setresuid", JAVA_INT, JAVA_INT, JAVA_INT);
    Spawning way = jdk ? new JdkSpawning() : new NativeSpawning();
    Blitz.run(() -> {
      Command command = Command.of("/bin/sh", "-c", "echo ok").by(way);
      for (int i = 0; i < 20; i++) { // all threads and classes are there
        IO.println(command.output().await().text().strip());
      }
      IO.println("words: " + PosixErrors.of("x", EAGAIN));
      int before = descriptors();
      try (var arena = Arena.ofConfined()) {
        int r = (int) setUser.invokeExact(LibcCalls.allocateErrno(arena), NOBODY, NOBODY, NOBODY);
        IO.println("user: " + r + ", limit: " + setProcesses(1));
        for (int i = 0; i < 20; i++) {
          try {
            IO.println("started: " + command.output().await());
          } catch (IOException e) {
            IO.println("refused: " + e.getMessage());
          }
        }
        IO.println("limit: " + setProcesses(-1));
      } catch (Error | Exception e) {
        throw e;
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
      IO.println("children: " + ProcessHandle.current().children().count());
      IO.println("descriptors: " + (descriptors() - before));
      IO.println("last: " + command.output().await().text().strip());
    });
  }
}
