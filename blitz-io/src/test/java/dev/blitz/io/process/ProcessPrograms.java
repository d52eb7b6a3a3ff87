package dev.blitz.io.process;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Programs that a JVM of its own runs; see {@link ProcessProgramsTest}. */
final class ProcessPrograms {
  private ProcessPrograms() {}

  /** {@code args}: which one. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "few descriptors" -> fewDescriptors();
      case "copy" -> copy();
      case "shut" -> shut();
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
}
